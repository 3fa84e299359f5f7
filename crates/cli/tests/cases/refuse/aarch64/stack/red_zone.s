// A store below SP.
//@ export: Run run
	.type run,@function
run:
	str x0, [sp, #-16]
	ret
