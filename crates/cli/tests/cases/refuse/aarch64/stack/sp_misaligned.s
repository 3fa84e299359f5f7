// A stack pointer that is not a multiple of 16.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #24
	add sp, sp, #24
	ret
