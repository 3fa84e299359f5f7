// A function jumps to another with its own stack arguments: lowering must put nothing between the arguments and the call.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #48
	str x30, [sp, #16]
	stp x20, x19, [sp, #32]
	mov x19, x1
	ldr x20, [x0]
	stp x20, x20, [sp]
	mov x0, x20
	bl front
	str x0, [sp]
	bl front
	str x0, [x19]
	ldp x20, x19, [sp, #32]
	ldr x30, [sp, #16]
	add sp, sp, #48
	ret

	.section .text.front,"ax",@progbits
	.type front,@function
front:
	cbnz x0, wide
	mov x0, #9
	ret

	.type wide,@function
wide:
	sub sp, sp, #64
	str x0, [sp, #24]
	ldp x8, x9, [sp, #64]
	ldr x0, [sp, #24]
	add x0, x0, x8
	eor x0, x9, x0, lsl #1
	add sp, sp, #64
	ret
