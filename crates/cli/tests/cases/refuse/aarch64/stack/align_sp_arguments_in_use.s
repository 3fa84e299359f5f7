// A function passes stack arguments from an aligned frame, and all registers but one are in use at the call.
//@ export: Run arguments
	.globl arguments
arguments:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	str x0, [sp]
	bl takes
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
	.type takes,@function
takes:
	ldr x0, [sp]
	add x0, x0, x1
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
	ret
