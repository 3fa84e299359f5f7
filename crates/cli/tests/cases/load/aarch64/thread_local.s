// Accesses to thread-local storage are recognised by the relocation's number or by the symbol's section.
//@ member: tls
//@ export: Shim shim
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	adrp x0, :tlsdesc:counter
	ldr x1, [x0, :tlsdesc_lo12:counter]
	add x0, x0, :tlsdesc_lo12:counter
	.tlsdesccall counter
	blr x1
	adrp x0, :gottprel:outside
	ldr x0, [x0, :gottprel_lo12:outside]
	add x0, x0, :tprel_hi12:outside
	add x0, x0, :tprel_lo12_nc:outside
	.reloc ., R_AARCH64_TLSGD_ADR_PAGE21, outside
	adrp x0, 0
	ldr q0, [x0, :dtprel_lo12_nc:outside]
	adrp x0, counter
	adrp x0, module
	ret

	.section .tbss,"awT",@nobits
	.type counter,@object
	.size counter,4
counter:
	.zero 4

	.data
	.globl module
module:
	.reloc ., R_AARCH64_TLS_DTPMOD64, outside
	.xword 0
