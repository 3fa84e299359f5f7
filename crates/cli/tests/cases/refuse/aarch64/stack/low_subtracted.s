// The lower part of an address is subtracted instead of added.
//@ export: Run run
	.type run,@function
run:
	adrp x8, value
	.reloc ., R_AARCH64_ADD_ABS_LO12_NC, value
	sub x8, x8, #0
	ldr x0, [x8]
	ret

	.section .rodata.value,"a",@progbits
	.type value,@object
value:
	.quad 1
	.size value, 8
