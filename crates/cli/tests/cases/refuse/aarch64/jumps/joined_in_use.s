// No register is free where the stack arguments would be copied.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	bl list
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
	.type list,@function
list:
	sub sp, sp, #16
	add x0, x0, x1
	add x2, x2, x3
	add x4, x4, x5
	add x6, x6, x7
	add x8, x8, x9
	add x10, x10, x11
	add x12, x12, x13
	add x14, x14, x15
	add x0, x0, x2
	add x4, x4, x6
	add x8, x8, x10
	add x12, x12, x14
	add x0, x0, x4
	add x8, x8, x12
	add x0, x0, x8
	add x1, sp, #16
	str x1, [sp]
	add x0, x0, x16
	add sp, sp, #16
	ret
