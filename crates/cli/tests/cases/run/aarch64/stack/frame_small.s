// Frames of up to 256 bytes as LLVM makes them: SP moved by the first store or by a subtraction, a frame record with x29 and
// without, words of the frame accessed one by one and in pairs.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-48]!
	str x21, [sp, #16]
	stp x20, x19, [sp, #32]
	mov x29, sp
	mov x19, x1
	ldr x20, [x0]
	mov x0, x20
	bl mix
	mov x21, x0
	eor x0, x20, x21
	bl mix
	add x0, x0, x21
	str x0, [x19]
	ldp x20, x19, [sp, #32]
	ldr x21, [sp, #16]
	ldp x29, x30, [sp], #48
	ret

	.section .text.mix,"ax",@progbits
	.type mix,@function
mix:
	sub sp, sp, #208
	str x30, [sp, #192]
	add x8, sp, #8
	str x0, [x8]
	str x0, [sp, #16]
	strb w0, [sp, #24]
	ldrb w9, [sp, #24]
	ldp x10, x11, [sp, #8]
	add x0, x10, x11
	bl turn
	ldur x8, [sp, #9]
	add x0, x0, x9
	eor x0, x0, x8
	ldr x30, [sp, #192]
	add sp, sp, #208
	ret

	.section .text.turn,"ax",@progbits
	.type turn,@function
turn:
	ror x0, x0, #17
	mov x9, #3
	ret
