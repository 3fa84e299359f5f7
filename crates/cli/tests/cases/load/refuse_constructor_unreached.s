# A constructor in an object that is linked only because a function that is never called refers to it.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	ret
	.section .text.unused,"ax",@progbits
	jmp helper
//@ member: native
	.section .text.helper,"ax",@progbits
	.globl helper
	.type helper,@function
helper:
	ret
	.section .init_array,"aw",@init_array
	.p2align 3
	.quad helper
