# An object of gcc -flto: its functions are not in it.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	jmp missing
//@ member: native
	.comm __gnu_lto_slim,1,1
