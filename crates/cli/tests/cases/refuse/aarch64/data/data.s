// A word that is not an instruction.
//@ export: Run run
	.type run,@function
run:
	.inst 0xffffffff
	ret
