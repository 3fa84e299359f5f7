# The address of a static, which only the running program knows, as an operand in memory.
//@ export: Run run
	.globl run
run:
	mov rax, [rdi]
	cmp rax, [rip+lanes@GOTPCREL]
	ret
	.section .bss.lanes,"aw",@nobits
	.p2align 6
	.globl lanes
lanes:
	.zero 64
