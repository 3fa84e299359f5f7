// A function passes on the address of its stack arguments. Nothing bounds their size, so they may be the caller's whole frame.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #2, lsl #12
	str x30, [sp, #8184]
	bl list
	ldr x30, [sp, #8184]
	add sp, sp, #2, lsl #12
	ret
	.type list,@function
list:
	str x30, [sp, #-16]!
	add x0, sp, #16
	bl callee
	ldr x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x0]
	ret
