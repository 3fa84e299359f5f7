// Frames of 4096 bytes and more: SP moves in two steps, with the return address at SP between them, or in one for a multiple of 4096. Some
// offsets exceed the twelve bits of a word access.
//@ goldens: analyze lower
//@ export: Run run
//@ export: Even even
	.type run,@function
run:
	stp x29, x30, [sp, #-48]!
	stp x22, x21, [sp, #16]
	stp x20, x19, [sp, #32]
	mov x29, sp
	sub sp, sp, #9, lsl #12
	sub sp, sp, #800
	mov x19, x1
	ldr x20, [x0]
	str x20, [sp, #32760]
	strb w20, [sp, #4095]
	add x8, sp, #8, lsl #12
	add x8, x8, #8
	str x20, [x8]
	mov w9, #5
	str x20, [sp, x9, lsl #3]
	mov x0, x20
	bl even_body
	ldr x8, [sp, #32760]
	ldrb w9, [sp, #4095]
	add x0, x0, x8
	add x0, x0, x9
	mov w9, #4097
	ldr x8, [sp, x9, lsl #3]
	ldr x9, [sp, #40]
	add x0, x0, x8, lsl #1
	add x0, x0, x9, lsl #2
	str x0, [x19]
	add sp, sp, #9, lsl #12
	add sp, sp, #800
	ldp x20, x19, [sp, #32]
	ldp x22, x21, [sp, #16]
	ldp x29, x30, [sp], #48
	ret
	.type even,@function
even:
	str x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x19, x1
	ldr x0, [x0]
	bl even_body
	str x0, [x19]
	ldr x19, [sp, #16]
	ldr x30, [sp], #32
	ret

	.section .text.even_body,"ax",@progbits
	.type even_body,@function
even_body:
	str x30, [sp, #-16]!
	sub sp, sp, #1, lsl #12
	sub sp, sp, #4064
	str x0, [sp, #8152]
	add x0, x0, #1
	str x0, [sp]
	bl leaf
	ldr x8, [sp, #8152]
	ldr x9, [sp]
	add x0, x8, x0, lsl #1
	add x0, x0, x9
	add sp, sp, #4064
	add sp, sp, #1, lsl #12
	ldr x30, [sp], #16
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	ror x0, x0, #5
	ret
