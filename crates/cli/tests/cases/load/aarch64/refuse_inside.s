// The relocation of an instruction that begins in the middle of one.
//@ member: inside
//@ export: Shim shim
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	nop
	.reloc shim+2, R_AARCH64_CALL26, other
	ret
	nop
