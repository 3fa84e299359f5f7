# An ifunc, whose target is chosen when the program is loaded; Go objects have no such symbols.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	leaq _ZN4core3fmt6vtable17h0123456789abcdefE(%rip), %rax
	ret
	.section .data.rel.ro.vtable,"aw",@progbits
	.type _ZN4core3fmt6vtable17h0123456789abcdefE,@object
_ZN4core3fmt6vtable17h0123456789abcdefE:
	.quad chosen
	.size _ZN4core3fmt6vtable17h0123456789abcdefE, 8
	.section .text.resolver,"ax",@progbits
	.globl chosen
	.type chosen,@gnu_indirect_function
chosen:
	ret
