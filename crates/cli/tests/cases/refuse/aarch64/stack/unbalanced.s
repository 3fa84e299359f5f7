// A return with its frame still there.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	ret
