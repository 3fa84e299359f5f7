// A function jumps to an unknown function with its caller's stack arguments. The caller's frame does not have its full depth at that call.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	stp x30, x0, [sp, #16]
	adrp x8, takes
	add x8, x8, :lo12:takes
	str x8, [x1]
	str x8, [sp]
	bl hands_on
	sub sp, sp, #16
	add sp, sp, #16
	ldp x30, x0, [sp, #16]
	add sp, sp, #32
	ret

	.section .text.hands_on,"ax",@progbits
	.type hands_on,@function
hands_on:
	ldr x8, [x1]
	br x8

	.section .text.takes,"ax",@progbits
	.type takes,@function
takes:
	ldr x0, [sp]
	ret
