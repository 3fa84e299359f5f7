// An exclusive store to the frame, which lies further from SP than in the compiler's code: the address needs another register than the one
// that receives the store's status.
//@ goldens: lower
//@ export: Run run
	.type run,%function
run:
	sub sp, sp, #32
	ldr x2, [x0]
	str x2, [sp]
2:	ldxr x3, [sp]
	add x3, x3, #5
	stxr w17, x3, [sp]
	cbnz w17, 2b
	ldr x3, [sp]
	str x3, [x1]
	add sp, sp, #32
	ret
