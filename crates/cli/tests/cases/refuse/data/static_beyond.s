# A static that is aligned to 128 KiB.
//@ export: Run run
	.type run,@function
run:
	inc qword ptr [rip+lanes]
	ret
	.section .bss.lanes,"aw",@nobits
	.p2align 17
lanes:
	.zero 8
