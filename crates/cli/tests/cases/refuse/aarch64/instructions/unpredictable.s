// `ldp x0, x0, [x1]`: the manual does not say which of the two it is.
//@ export: Run run
	.type run,@function
run:
	.inst 0xa9400020
	ret
