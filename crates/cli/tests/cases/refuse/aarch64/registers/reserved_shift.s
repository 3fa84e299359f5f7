// `orn w3, w15, w8, lsl #61`: a shift that no 32-bit register has.
//@ export: Run run
	.type run,@function
run:
	.inst 0x2a28f5e3
	ret
