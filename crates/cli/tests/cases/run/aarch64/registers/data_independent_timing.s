// DIT, which code sets while it works on secrets: written as an immediate and from a register.
//@ export: Run run
	.arch armv8.4-a
	.type run,@function
run:
	mrs x8, dit
	msr dit, #1
	mrs x9, dit
	ldr x0, [x0]
	mul x0, x0, x0
	msr dit, x8
	mrs x10, dit
	msr dit, #0
	eor x9, x9, x10
	lsr x9, x9, #24
	add x0, x0, x9
	str x0, [x1]
	ret
