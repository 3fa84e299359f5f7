// A pointer that leads into the frame on one way and elsewhere on the other. Where both go on, code stores through it so far behind it
// that in the frame the saved return address lies there; it does so only on the other way.
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
	b 3f
2:	sub x8, x19, #24
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

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	and x0, x0, #3
	ret
