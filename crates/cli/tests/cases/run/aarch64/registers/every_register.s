// An offset no longer fits, and all registers but one are in use. Lowering uses the free register.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #512
	str x30, [sp, #480]
	str xzr, [sp]
	ldr x0, [x0]
	add x2, x0, #2
	add x3, x0, #3
	add x4, x0, #4
	add x5, x0, #5
	add x6, x0, #6
	add x7, x0, #7
	add x8, x0, #8
	add x9, x0, #9
	add x10, x0, #10
	add x11, x0, #11
	add x13, x0, #13
	add x14, x0, #14
	add x15, x0, #15
	add x16, x0, #16
	add x17, x0, #17
	stp x0, x17, [sp, #496]
	ldp x0, x12, [sp, #496]
	add x0, x0, x2
	add x0, x0, x3
	add x0, x0, x4
	add x0, x0, x5
	add x0, x0, x6
	add x0, x0, x7
	add x0, x0, x8
	add x0, x0, x9
	add x0, x0, x10
	add x0, x0, x11
	add x0, x0, x12
	add x0, x0, x13
	add x0, x0, x14
	add x0, x0, x15
	add x0, x0, x16
	add x0, x0, x17
	str x0, [x1]
	ldr x30, [sp, #480]
	add sp, sp, #512
	ret
