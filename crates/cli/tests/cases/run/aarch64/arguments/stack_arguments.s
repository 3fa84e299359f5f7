// Stack arguments: the caller stores them at the bottom of its frame. The callee reads them through SP with a frame and without, through x29,
// through a register made from SP, and through a pointer that runs over them.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #80
	stp x29, x30, [sp, #48]
	add x29, sp, #48
	stp x20, x19, [sp, #64]
	mov x19, x1
	ldr x20, [x0]
	add x8, x20, #3
	stp x20, x8, [sp]
	str x20, [sp, #16]
	strb w20, [sp, #24]
	str x8, [sp, #32]
	bl through_sp
	str x0, [sp]
	bl without_frame
	str x0, [sp, #8]
	bl through_fp
	str x0, [sp, #16]
	bl derived
	str x0, [sp]
	bl pointer
	ldr x8, [sp, #32]
	add x0, x0, x8
	str x0, [x19]
	ldp x20, x19, [sp, #64]
	ldp x29, x30, [sp, #48]
	add sp, sp, #80
	ret

	.section .text.through_sp,"ax",@progbits
	.type through_sp,@function
through_sp:
	sub sp, sp, #32
	str x30, [sp, #16]
	ldp x0, x8, [sp, #32]
	str x8, [sp, #8]
	bl leaf
	ldr x8, [sp, #48]
	ldrb w9, [sp, #56]
	add x0, x0, x8
	add x0, x0, x9
	ldr x8, [sp, #8]
	eor x0, x0, x8
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret

	.section .text.without_frame,"ax",@progbits
	.type without_frame,@function
without_frame:
	ldr x0, [sp]
	ldp x8, x9, [sp, #8]
	add x0, x0, x8
	eor x0, x0, x9, ror #3
	ret

	.section .text.through_fp,"ax",@progbits
	.type through_fp,@function
through_fp:
	stp x29, x30, [sp, #-32]!
	mov x29, sp
	ldr x0, [x29, #32]
	str x0, [x29, #16]
	bl leaf
	ldp x8, x9, [x29, #40]
	add x0, x0, x8
	add x0, x0, x9
	ldr x8, [x29, #16]
	add x0, x0, x8
	ldp x29, x30, [sp], #32
	ret

	.section .text.derived,"ax",@progbits
	.type derived,@function
derived:
	str x30, [sp, #-16]!
	sub sp, sp, #2, lsl #12
	add x8, sp, #2, lsl #12
	ldr x0, [x8, #16]
	ldr x9, [x8, #32]
	str x0, [sp, #4000]
	str x0, [sp]
	bl leaf
	ldr x8, [sp, #4000]
	add x0, x0, x8
	add x8, sp, #2, lsl #12
	ldr x8, [x8, #24]
	add x0, x0, x8
	add sp, sp, #2, lsl #12
	ldr x30, [sp], #16
	ret

	.section .text.pointer,"ax",@progbits
	.type pointer,@function
pointer:
	sub sp, sp, #16
	str x0, [sp, #8]
	add x8, sp, #24
	ldr x9, [x8]
	ldr x10, [x8, #8]!
	ldr x0, [sp, #16]
	add x0, x0, x9
	eor x0, x0, x10, lsl #1
	add sp, sp, #16
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	ror x0, x0, #11
	ret
