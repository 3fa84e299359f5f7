// The end of the frame, which is the beginning of the arguments on the stack: lowering puts them apart.
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
	add x8, sp, #16
	ldr x0, [x8]
	ldr x9, [sp, #24]
	add sp, sp, #16
	ret
