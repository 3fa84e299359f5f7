// A relocation at an offset inside an instruction.
//@ member: inside
//@ export: Shim shim
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	nop
	.reloc shim+2, R_AARCH64_CALL26, other
	ret
	nop
