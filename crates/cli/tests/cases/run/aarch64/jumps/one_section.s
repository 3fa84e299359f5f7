// Hand-written assembly as in many crates: several functions in one section, symbols of size zero, two names at one
// address, branches and calls between them.
//@ goldens: decode analyze
//@ export: Run run
//@ export: Again second_name
	.globl run
run:
	ldr x0, [x0]
	stp x29, x30, [sp, #-16]!
	bl helper
	ldp x29, x30, [sp], #16
	str x0, [x1]
	ret
	.globl unused
unused:
	udf #0
	.globl first_name
	.globl second_name
first_name:
second_name:
	str x30, [sp, #-16]!
	ldr x0, [x0]
	bl helper
	bl first_helper
	str x0, [x1]
	ldr x30, [sp], #16
	ret
	.type helper,@function
helper:
	eor x0, x0, #255
	ret
	.globl first_helper
first_helper:
	cmp x0, #20
	b.lo helper
	add x0, x0, #3
	ret
