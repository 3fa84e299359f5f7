# An export record whose shim is not a function.
//@ member: crate
//@ export: Entry entry
	.section .rodata.entry,"a",@progbits
entry:
	.quad 0
