// x28 is g.
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-16]!
	mov x28, x0
	ldr x30, [sp], #16
	ret
