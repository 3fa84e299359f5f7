# An operand in memory holds a static's address. The static's alignment makes this address known only at run time.
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
