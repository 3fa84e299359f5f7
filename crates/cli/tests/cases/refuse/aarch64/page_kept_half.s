// Half of an address, kept in the frame and read as a number, by 32 bits.
// export Run run
	.type run,@function
run:
	sub sp, sp, #16
	adrp x8, value
	str x8, [sp, #8]
	ldr w8, [sp, #12]
	str x8, [x1]
	add sp, sp, #16
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
