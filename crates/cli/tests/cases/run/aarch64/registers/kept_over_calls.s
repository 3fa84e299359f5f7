// Values stay in caller-saved registers over calls of functions that do not change them (gcc's -fipa-ra). Functions return results in flags.
// The callees need scratch registers to make their frames and to access them.
//@ export: Kept kept
//@ export: Carry carry
//@ export: Checked checked 32768
	.type kept,@function
kept:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	add x9, x0, #1
	add x10, x9, x0, lsl #1
	add x11, x10, x9, lsl #2
	add x12, x11, x10, lsl #1
	add x13, x12, x11, lsl #2
	add x14, x13, x12, lsl #1
	add x15, x14, x13, lsl #2
	add x16, x15, x14, lsl #1
	add x17, x16, x15, lsl #2
	bl large
	bl shift
	eor x0, x0, x9, ror #3
	eor x0, x0, x10, ror #5
	eor x0, x0, x11, ror #7
	eor x0, x0, x12, ror #9
	eor x0, x0, x13, ror #11
	eor x0, x0, x14, ror #13
	eor x0, x0, x15, ror #15
	eor x0, x0, x16, ror #17
	eor x0, x0, x17, ror #19
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret

// Only one register is free where a large frame is made and removed.
	.type shift,@function
shift:
	mov x3, #1
	mov x4, #2
	mov x5, #3
	mov x6, #4
	mov x7, #5
	mov x8, #6
	stp x30, x9, [sp, #-16]!
	mov x2, x9
	mov x9, xzr
	bl larger
	mov x9, x2
	add x0, x0, x3
	add x0, x0, x4
	add x0, x0, x5
	add x0, x0, x6
	add x0, x0, x7
	add x0, x0, x8
	ldp x30, x9, [sp], #16
	ret

	.type carry,@function
carry:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	bl compares
	adc x0, x0, x0
	cset x2, hi
	add x0, x0, x2
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret

	.type compares,@function
compares:
	sub sp, sp, #5, lsl #12
	sub sp, sp, #32
	str x0, [sp, #8]
	ldrb w2, [sp, #8]
	cmp w2, #100
	add sp, sp, #32
	add sp, sp, #5, lsl #12
	ret

	.type large,@function
large:
	str x30, [sp, #-16]!
	sub sp, sp, #496
	str x0, [sp, #488]
	ldr x1, [sp, #488]
	add x0, x0, x1
	add sp, sp, #496
	ldr x30, [sp], #16
	ret

	.type larger,@function
larger:
	str x30, [sp, #-16]!
	sub sp, sp, #9, lsl #12
	sub sp, sp, #16
	mov x1, #5
	str x1, [sp]
	str x1, [sp, #32760]
	ldr x1, [sp, #32760]
	add x0, x0, x1
	add sp, sp, #16
	add sp, sp, #9, lsl #12
	ldr x30, [sp], #16
	ret

// The stack check of the recursive function uses other registers; the function returns a result in the flags.
	.type checked,@function
checked:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	and x2, x0, #15
	add x15, x0, #9
	bl count
	adc x0, x0, x15
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type count,@function
count:
	cbz x2, 2f
	stp x30, x2, [sp, #-16]!
	sub x2, x2, #1
	bl count
	adc x0, x0, x0
	ldp x30, x2, [sp], #16
	ret
2:	cmp w0, w0, lsl #3
	ret
