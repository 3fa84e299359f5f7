// The return address is saved below SP during a call.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #16
	sub sp, sp, #16
	str x30, [sp, #8]
	add sp, sp, #16
	bl callee
	sub sp, sp, #16
	ldr x30, [sp, #8]
	add sp, sp, #32
	ret
	.type callee,@function
callee:
	ret
