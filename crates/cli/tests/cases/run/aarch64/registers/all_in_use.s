// Every usable register is in use where an offset no longer fits: one of them is saved next to the return address.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-32]!
	str x19, [sp, #16]
	sub sp, sp, #9, lsl #12
	mov x19, x1
	ldr x0, [x0]
	str x0, [sp]
	add x1, x0, #1
	add x2, x1, x0, lsl #1
	add x3, x2, x1, lsl #2
	add x4, x3, x2, lsl #3
	add x5, x4, x3, lsl #1
	add x6, x5, x4, lsl #2
	add x7, x6, x5, lsl #3
	add x8, x7, x6, lsl #1
	add x9, x8, x7, lsl #2
	add x10, x9, x8, lsl #3
	add x11, x10, x9, lsl #1
	add x12, x11, x10, lsl #2
	add x13, x12, x11, lsl #3
	add x14, x13, x12, lsl #1
	add x15, x14, x13, lsl #2
	add x16, x15, x14, lsl #3
	add x17, x16, x15, lsl #1
	str x17, [sp, #32760]
	strb w16, [sp, #4095]
	ldr d0, [sp, #32760]
	str x0, [sp, #32760]
	ldr d1, [sp, #32760]
	ldr b2, [sp, #4095]
	eor x0, x0, x1, lsl #1
	eor x0, x0, x2, lsl #2
	eor x0, x0, x3, lsl #3
	eor x0, x0, x4, lsl #4
	eor x0, x0, x5, lsl #5
	eor x0, x0, x6, lsl #6
	eor x0, x0, x7, lsl #7
	eor x0, x0, x8, lsl #8
	eor x0, x0, x9, lsl #9
	eor x0, x0, x10, lsl #10
	eor x0, x0, x11, lsl #11
	eor x0, x0, x12, lsl #12
	eor x0, x0, x13, lsl #13
	eor x0, x0, x14, lsl #14
	eor x0, x0, x15, lsl #15
	eor x0, x0, x16, lsl #16
	eor x0, x0, x17, lsl #17
	fmov x1, d0
	fmov x2, d1
	fmov x3, d2
	eor x0, x0, x1
	eor x0, x0, x2, ror #7
	eor x0, x0, x3, ror #9
	ldr x1, [sp]
	add x0, x0, x1
	str x0, [x19]
	add sp, sp, #9, lsl #12
	ldr x19, [sp, #16]
	ldr x30, [sp], #32
	ret
