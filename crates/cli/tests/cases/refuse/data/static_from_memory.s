# An operand in memory is a static's address, which is known only at run time because of its alignment.
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
