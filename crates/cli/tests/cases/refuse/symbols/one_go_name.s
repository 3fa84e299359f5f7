# Two exports with the same Go name.
//@ export: Run first
//@ export: Run second
	.type first,@function
first:
	ret
	.type second,@function
second:
	nop
	ret
