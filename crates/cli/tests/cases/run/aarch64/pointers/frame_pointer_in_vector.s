// Only x29 holds the address of a local. The address leaves x29 through a vector register, and a callee stores through the address, into a word
// that holds a function's address.
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	mov x20, x1
	ldr x19, [x0]
	adrp x8, small
	add x8, x8, :lo12:small
	str x8, [sp, #32]
	add x29, sp, #32
	fmov d0, x29
	bl store
	mov x0, x19
	ldr x8, [sp, #32]
	blr x8
	str x0, [x20]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret

	.section .text.store,"ax",@progbits
	.type store,@function
store:
	fmov x9, d0
	adrp x8, large
	add x8, x8, :lo12:large
	tbz x19, #0, 1f
	str x8, [x9]
1:	ret
	.section .text.small,"ax",@progbits
	.type small,@function
small:
	add x0, x0, x0
	ret
	.section .text.large,"ax",@progbits
	.type large,@function
large:
	sub sp, sp, #2048
	str x0, [sp]
	ldr x8, [sp]
	add x0, x8, x8, lsl #3
	add sp, sp, #2048
	ret
