# The loader takes only sections that the exports reach, from whichever member defines them.
//@ member: first
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.p2align 4
	.type entry,@function
entry:
	call helper@PLT
	leaq table(%rip), %rax
	ret

	.section .text.unused,"ax",@progbits
	.globl unused
	.type unused,@function
unused:
	call missing@PLT
	ret

	.section .data.rel.ro.table,"aw",@progbits
	.p2align 3
	.type table,@object
table:
	.quad far
	.quad counter+4
	.size table, 16

//@ member: second
	.section .text.helper,"ax",@progbits
	.globl helper
	.type helper,@function
helper:
	ret

	.section .text.far,"ax",@progbits
	.globl far
	.type far,@function
far:
	jmp nowhere@PLT

	.section .bss.counter,"aw",@nobits
	.p2align 2
	.globl counter
	.type counter,@object
counter:
	.zero 12
	.size counter, 12
