// `msr ssbs, #1`: encoded next to DIT, but permanently changes what the processor may speculate on.
//@ export: Run run
	.type run,@function
run:
	.inst 0xd503413f
	ret
