// Early returns: the code after a `ret` runs at another stack depth than the code before it.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-32]!
	stp x20, x19, [sp, #16]
	ldr x19, [x0]
	mov x20, x1
	tbz w19, #0, 2f
	sub sp, sp, #48
	str x19, [sp, #8]
	bl twice
	ldr x8, [sp, #8]
	add sp, sp, #48
	add x0, x0, x8
	str x0, [x20]
	ldp x20, x19, [sp, #16]
	ldr x30, [sp], #32
	ret
2:	tbnz w19, #1, 3f
	mov w8, #7
	str x8, [x20]
	ldp x20, x19, [sp, #16]
	ldr x30, [sp], #32
	ret
3:	add x19, x19, x19, lsl #2
	str x19, [x20]
	ldp x20, x19, [sp, #16]
	ldr x30, [sp], #32
	ret

	.section .text.twice,"ax",@progbits
	.type twice,@function
twice:
	lsl x0, x19, #1
	cbnz x0, 4f
	ret
4:	str x19, [sp, #-16]!
	mov x19, #3
	eor x0, x0, x19
	ldr x19, [sp], #16
	ret
