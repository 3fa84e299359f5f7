// Arguments are passed on the stack while the frame does not have its full depth.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	str x1, [sp]
	bl callee
	sub sp, sp, #32
	str x1, [sp]
	bl callee
	add sp, sp, #32
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
	.type callee,@function
callee:
	ldr x0, [sp]
	ret
