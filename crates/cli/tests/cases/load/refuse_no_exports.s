# A library without a record of the macro's.
//@ member: crate
	.globl lonely
	.type lonely,@function
lonely:
	ret
