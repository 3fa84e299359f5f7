# An .init section, whose code itself runs before the program.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	ret
	.section .init,"ax",@progbits
	nop
