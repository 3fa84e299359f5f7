// The same in a word of the frame, which on the other way was not written.
// export Run run
	.type run,@function
run:
	sub sp, sp, #16
	ldr x9, [x0]
	cbz x9, 2f
	adrp x8, value
	str x8, [sp, #8]
2:	ldr x8, [sp, #8]
	str x8, [x1]
	add sp, sp, #16
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
