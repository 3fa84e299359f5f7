// Arguments on the stack at an index: nothing else would say that they are reached.
//@ export: Run run
	.type run,@function
run:
	ldr x0, [sp, x1, lsl #3]
	ret
