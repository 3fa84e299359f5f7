// A stack probe down to an unknown address.
//@ export: Run run
	.type run,@function
run:
	ldr x9, [x0]
2:	sub sp, sp, #1, lsl #12
	cmp sp, x9
	str xzr, [sp]
	b.ne 2b
	ret
