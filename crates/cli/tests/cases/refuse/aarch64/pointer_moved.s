// A pointer that runs out of the frame into the arguments on the stack.
// export Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	bl callee
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
	.type callee,@function
callee:
	sub sp, sp, #16
	str x0, [sp, #8]
	mov x8, sp
	ldr x9, [x8, #24]!
	ldr x0, [x8, #8]
	add sp, sp, #16
	ret
