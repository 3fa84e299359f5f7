// A word that is no instruction.
//@ export: Run run
	.type run,@function
run:
	.inst 0xffffffff
	ret
