# An object that gcc -flto made: it contains no machine code of its functions.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	jmp missing
//@ member: native
	.comm __gnu_lto_slim,1,1
