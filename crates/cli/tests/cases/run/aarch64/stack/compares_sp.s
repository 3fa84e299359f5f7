// SP is compared with an address, as code does to see whether a pointer leads into its frame or below it. The comparison means the frame's lowest
// object, which lowering moves away from SP. In a function without a frame, SP keeps its value.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-96]!
	str x19, [sp, #80]
	mov x19, x1
	ldr x0, [x0]
	and x8, x0, #7
	lsl x8, x8, #3
	add x9, sp, #24
	sub x9, x9, x8
	cmp sp, x9
	cset x10, hi
	cset x11, eq
	add x12, sp, #8
	cmp sp, x12
	csinc x13, x10, x11, lo
	lsl x0, x0, #4
	orr x0, x0, x10
	orr x0, x0, x11, lsl #1
	orr x0, x0, x13, lsl #2
	mov x1, sp
	bl below
	str x0, [x19]
	ldr x19, [sp, #80]
	ldr x30, [sp], #96
	ret

	// Is the caller's frame below this function's SP? Never.
	.section .text.below,"ax",@progbits
	.type below,@function
below:
	cmp sp, x1
	cset x8, hi
	orr x0, x0, x8, lsl #3
	ret
