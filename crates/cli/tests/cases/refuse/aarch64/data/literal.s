// A constant between instructions.
//@ export: Run run
	.type run,@function
run:
	ldr x9, 1f
	ret
1:
	.xword 5
