// A function that calls itself, without a budget.
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-16]!
	bl again
	ldr x30, [sp], #16
	ret
	.type again,@function
again:
	cbz x0, 2f
	str x30, [sp, #-16]!
	sub x0, x0, #1
	bl again
	ldr x30, [sp], #16
2:	ret
