// In an aligned frame, lowered code loads the aligned address from memory: not allowed between an exclusive load and its store.
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #128
	and sp, x9, #-64
	ldr x0, [x0]
	str x0, [sp]
	mov x4, sp
1:	ldxr x3, [x4]
	add x5, sp, #8
	str x3, [x5]
	add x3, x3, #1
	stxr w6, x3, [x4]
	cbnz w6, 1b
	ldr x0, [sp]
	str x0, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
