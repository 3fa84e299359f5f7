# A static that does not begin as zeros and must lie on a multiple of 64, which only the running program could find.
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
