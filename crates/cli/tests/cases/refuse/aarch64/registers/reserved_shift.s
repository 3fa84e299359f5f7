// `orn w3, w15, w8, lsl #61`: the shift is too large for a 32-bit register.
//@ export: Run run
	.type run,@function
run:
	.inst 0x2a28f5e3
	ret
