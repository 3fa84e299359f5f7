// A frame of more than 504 bytes: offsets that fit the seven bits of a pair, or the nine or twelve bits of a register, in the compiler's frame
// and do not fit in the new one; also for vectors.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-48]!
	stp x22, x21, [sp, #16]
	stp x20, x19, [sp, #32]
	sub sp, sp, #1040
	mov x19, x1
	ldr x20, [x0]
	mvn x21, x20
	dup v0.2d, x20
	stp x20, x21, [sp, #488]
	stp w20, w21, [sp, #248]
	stp q0, q0, [sp, #256]
	ldpsw x9, x10, [sp, #252]
	add x22, x9, x10
	stp q0, q0, [sp, #1008]
	str q0, [sp, #304]
	stur x21, [sp, #249]
	str xzr, [sp]
	ldp x9, x10, [sp, #488]
	eor x0, x9, x10, lsl #3
	bl other
	ldp q1, q2, [sp, #1008]
	umov x8, v2.d[1]
	add x0, x0, x8
	ldr q1, [sp, #304]
	umov x8, v1.d[0]
	eor x0, x0, x8
	ldur x8, [sp, #249]
	add x0, x0, x8
	ldp x8, x9, [sp, #488]
	add x0, x0, x22
	sub x0, x0, x9
	add x0, x0, x8
	str x0, [x19]
	add sp, sp, #1040
	ldp x20, x19, [sp, #32]
	ldp x22, x21, [sp, #16]
	ldr x30, [sp], #48
	ret

	.section .text.other,"ax",@progbits
	.type other,@function
other:
	sub sp, sp, #512
	stp x29, x30, [sp, #496]
	add x29, sp, #496
	stur x0, [x29, #-8]
	str x0, [sp]
	bl leaf
	ldur x8, [x29, #-8]
	ldr x9, [sp]
	add x0, x0, x8
	add x0, x0, x9
	ldp x29, x30, [sp, #496]
	add sp, sp, #512
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	eor x0, x0, x0, lsr #7
	ret
