// What looks like a stack probe, and does something else as well.
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
