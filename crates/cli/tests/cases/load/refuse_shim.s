# A record whose shim is no function.
//@ member: crate
//@ export: Entry entry
	.section .rodata.entry,"a",@progbits
entry:
	.quad 0
