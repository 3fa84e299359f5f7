// A neighbour of DIT, which is set for good: what the processor may speculate on.
//@ export: Run run
	.type run,@function
run:
	.inst 0xd503413f
	ret
