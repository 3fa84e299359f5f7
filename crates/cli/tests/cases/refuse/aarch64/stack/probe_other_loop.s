// A loop like a stack probe that also changes another register.
//@ export: Run run
	.type run,@function
run:
	sub x9, sp, #5, lsl #12
2:	add x0, x0, #1
	sub sp, sp, #1, lsl #12
	cmp sp, x9
	str xzr, [sp]
	b.ne 2b
	add sp, sp, #5, lsl #12
	ret
