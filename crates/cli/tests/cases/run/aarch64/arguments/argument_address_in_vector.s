// The address of the first stack argument is stored in the frame from a vector register. A load through the address must read the argument.
//@ export: Run run
	.type run,%function
run:
	stp x29, x30, [sp, #-32]!
	str x1, [sp, #16]
	ldr x0, [x0]
	sub sp, sp, #16
	str x0, [sp]
	bl f
	add sp, sp, #16
	ldr x1, [sp, #16]
	str x0, [x1]
	ldp x29, x30, [sp], #32
	ret
	.section .text.f,"ax",@progbits
	.type f,%function
f:	sub sp, sp, #48
	mvn x0, x0
	str x0, [sp, #32]
	add x9, sp, #48
	dup v16.2d, x9
	str q16, [sp]
	ldr x9, [sp, #8]
	ldr x0, [x9]
	add sp, sp, #48
	ret
