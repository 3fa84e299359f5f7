// A loop like a stack probe that stores elsewhere than at SP.
//@ export: Run run
	.type run,@function
run:
	sub x9, sp, #5, lsl #12
2:	sub sp, sp, #1, lsl #12
	cmp sp, x9
	str xzr, [sp, #8]
	b.ne 2b
	add sp, sp, #5, lsl #12
	ret
