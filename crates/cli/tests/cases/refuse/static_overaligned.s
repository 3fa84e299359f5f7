# A mutable static that must lie on a multiple of 64.
# export Run run
	.type run,@function
run:
	inc qword ptr [rip+lanes]
	ret
	.section .data.lanes,"aw",@progbits
	.p2align 6
lanes:
	.zero 64
