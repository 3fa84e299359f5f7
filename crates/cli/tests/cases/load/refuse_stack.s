# An object that needs an executable stack.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	jmp nested
//@ member: native
	.section .text.nested,"ax",@progbits
	.globl nested
	.type nested,@function
nested:
	ret
	.section .note.GNU-stack,"x",@progbits
