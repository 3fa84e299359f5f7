// One instruction accesses a word of the frame and the stack argument next to it, as gcc merges two accesses into one: halves of words, a
// pair, a vector, a store.
//@ goldens: analyze lower
//@ export: Halves halves
//@ export: Pair pair
//@ export: Vector vector
//@ export: Store store
	.macro caller name
	.type \name,@function
\name:
	sub sp, sp, #48
	stp x30, x19, [sp, #32]
	mov x19, x1
	ldr x0, [x0]
	add x8, x0, x0, lsl #7
	mvn x9, x8
	stp x8, x9, [sp]
	bl \name\()_callee
	str x0, [x19]
	ldp x30, x19, [sp, #32]
	add sp, sp, #48
	ret
	.endm
	caller halves
	caller pair
	caller vector
	caller store

	.section .text.callee,"ax",@progbits
	.type halves_callee,@function
halves_callee:
	sub sp, sp, #16
	lsr x1, x0, #3
	str x1, [sp, #8]
	ldp w2, w3, [sp, #12]
	add x0, x3, x2, lsl #5
	add sp, sp, #16
	ret
	.type pair_callee,@function
pair_callee:
	sub sp, sp, #16
	str x0, [sp, #8]
	ldp x2, x3, [sp, #8]
	add x0, x3, x2, lsl #5
	add sp, sp, #16
	ret
	.type vector_callee,@function
vector_callee:
	sub sp, sp, #16
	str x0, [sp, #8]
	ldur q0, [sp, #8]
	mov x2, v0.d[0]
	mov x3, v0.d[1]
	eor x0, x3, x2, lsl #5
	add sp, sp, #16
	ret
	.type store_callee,@function
store_callee:
	sub sp, sp, #16
	mvn x1, x0
	stp x0, x1, [sp, #8]
	ldr x2, [sp, #8]
	ldr x3, [sp, #16]
	ldr x4, [sp, #24]
	add x0, x3, x2, lsl #5
	eor x0, x0, x4
	add sp, sp, #16
	ret
