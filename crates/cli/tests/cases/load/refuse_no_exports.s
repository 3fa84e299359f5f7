# A library without an export record of the macro.
//@ member: crate
	.globl lonely
	.type lonely,@function
lonely:
	ret
