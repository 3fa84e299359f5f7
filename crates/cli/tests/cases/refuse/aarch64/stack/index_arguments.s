// Stack arguments are accessed only by an index, so no instruction shows that they exist.
//@ export: Run run
	.type run,@function
run:
	ldr x0, [sp, x1, lsl #3]
	ret
