# A weak reference to an undefined symbol becomes null: an address cell of zeros, a number in data, or a function that faults. References to symbols
# of linkers, to exits (malloc) and to symbols of other members do not; nor do strong references and the distance to the symbol itself.
//@ member: a
//@ export: Entry entry
	.weak hook, __start_registry, _DYNAMIC, malloc, there
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	cmpq $0, hook@GOTPCREL(%rip)
	movq hook@GOTPCREL(%rip), %rax
	call hook@PLT
	je hook
	jmp *hook@GOTPCREL(%rip)
	leaq hook(%rip), %rax
	movq __start_registry@GOTPCREL(%rip), %rax
	movq _DYNAMIC@GOTPCREL(%rip), %rax
	movq malloc@GOTPCREL(%rip), %rax
	movq there@GOTPCREL(%rip), %rax
	leaq words(%rip), %rax
	call other
	ret
	.section .data.words,"aw",@progbits
words:
	.quad hook, hook+5
	.quad there
	.long hook@GOTPCREL+8
//@ member: b
	.section .text.other,"ax",@progbits
	.globl other, there
	.type other,@function
other:
	movq hook@GOTPCREL(%rip), %rax
	call hook@PLT
	ret
	.section .rodata.there,"a",@progbits
	.type there,@object
	.size there, 8
there:
	.quad 1
