// Of half of an address the lower 32 bits are kept.
// export Run run
	.type run,@function
run:
	sub sp, sp, #16
	adrp x8, value
	str w8, [sp, #8]
	ldr w8, [sp, #8]
	str x8, [x1]
	add sp, sp, #16
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
