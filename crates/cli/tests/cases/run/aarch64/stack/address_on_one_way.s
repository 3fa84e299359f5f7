// A pointer leads into the frame on one path and elsewhere on the other. After the paths meet, code stores through the pointer. In the frame,
// the store would overwrite the saved return address, but the store is executed only if the pointer leads elsewhere.
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
