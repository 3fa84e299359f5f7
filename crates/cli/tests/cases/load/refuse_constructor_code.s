# Code that is itself a part of what runs before the program.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	ret
	.section .init,"ax",@progbits
	nop
