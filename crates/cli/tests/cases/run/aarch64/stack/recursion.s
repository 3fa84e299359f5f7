// Recursion under a stated budget: one function that calls itself, and two that call each other.
//@ goldens: analyze lower
//@ export: Direct direct 16384
//@ export: Mutual mutual 16384
	.type direct,@function
direct:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	and x0, x0, #31
	bl sum_to
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type mutual,@function
mutual:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	and x0, x0, #31
	bl even
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret

	.section .text.sum_to,"ax",@progbits
	.type sum_to,@function
sum_to:
	cbz x0, 2f
	stp x30, x19, [sp, #-16]!
	mov x19, x0
	sub x0, x0, #1
	bl sum_to
	add x0, x0, x19
	ldp x30, x19, [sp], #16
	ret
2:	mov x0, xzr
	ret

	.section .text.even,"ax",@progbits
	.type even,@function
even:
	cbz x0, 4f
	str x30, [sp, #-16]!
	sub x0, x0, #1
	bl uneven
	add x0, x0, #3
	ldr x30, [sp], #16
4:	ret

	.section .text.uneven,"ax",@progbits
	.type uneven,@function
uneven:
	str x30, [sp, #-16]!
	mov x8, x0
	mov w0, #100
	cbz x8, 5f
	sub x0, x8, #1
	bl even
	add x0, x0, #7
5:	ldr x30, [sp], #16
	ret
