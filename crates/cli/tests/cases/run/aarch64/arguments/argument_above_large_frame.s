// Stack arguments are accessed from below a large frame. No instruction can hold the distance, so gcc puts it into a register: once the access
// uses an address in the frame and an offset, once an address above the frame.
//@ export: Run run
	.type run,%function
run:
	stp x29, x30, [sp, #-32]!
	str x1, [sp, #16]
	ldr x0, [x0]
	sub sp, sp, #16
	str x0, [sp]
	mvn x2, x0
	str x2, [sp, #8]
	bl f
	add sp, sp, #16
	ldr x1, [sp, #16]
	str x0, [x1]
	ldp x29, x30, [sp], #32
	ret
	.section .text.f,"ax",@progbits
	.type f,%function
f:	mov x12, #32848
	sub sp, sp, x12
	str x0, [sp]
	mov x0, #32800
	add x0, sp, x0
	ldr x0, [x0, #48]
	mov x1, #32856
	add x1, sp, x1
	ldr x1, [x1]
	add x0, x0, x1, lsl #3
	mov x12, #32848
	add sp, sp, x12
	ret
