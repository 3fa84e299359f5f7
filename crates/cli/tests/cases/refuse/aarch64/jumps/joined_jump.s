// A function that copies its stack arguments may change the copy, then jumps to a function that would find the original arguments.
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
	mov x8, sp
	stp x8, x8, [x0]
	str x0, [sp]
	b callee

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [sp]
	ret
