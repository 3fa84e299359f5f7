# A static that is not zero-initialised and needs 64-byte alignment, which only the running program could provide.
//@ export: Run run
	.type run,@function
run:
	inc qword ptr [rip+lanes]
	ret
	.section .data.lanes,"aw",@progbits
	.p2align 6
lanes:
	.quad 1
	.zero 56
