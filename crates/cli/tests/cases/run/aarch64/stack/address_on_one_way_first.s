// As address_on_one_way.s, with the code in another order: the path with the pointer into the frame comes directly before the store.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #64
	stp x29, x30, [sp, #32]
	str x19, [sp, #48]
	add x29, sp, #32
	mov x19, x1
	ldr x0, [x0]
	bl callee
	cbnz x0, 2f
	add x8, sp, #16
3:	cbz x0, 4f
	mov x9, #7
	str x9, [x8, #24]
	ldr x9, [x19]
	add x0, x0, x9
4:	str x0, [x19]
	ldr x19, [sp, #48]
	ldp x29, x30, [sp, #32]
	add sp, sp, #64
	ret
2:	sub x8, x19, #24
	b 3b

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	and x0, x0, #3
	ret
