// `adrp xzr, symbol`: in other instructions, register 31 is SP.
//@ export: Run run
	.type run,@function
run:
	.reloc ., R_AARCH64_ADR_PREL_PG_HI21, value
	.inst 0x9000001f
	ret

	.section .rodata.value,"a",@progbits
	.type value,@object
value:
	.quad 1
	.size value, 8
