// Half of an address is stored somewhere in the frame, by an index.
// export Run run
	.type run,@function
run:
	sub sp, sp, #32
	ldr x9, [x0]
	and x9, x9, #3
	adrp x8, value
	str x8, [sp, x9, lsl #3]
	ldr x8, [sp, x9, lsl #3]
	str x8, [x1]
	add sp, sp, #32
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
