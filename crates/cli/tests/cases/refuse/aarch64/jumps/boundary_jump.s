// A jump passes on the address of the boundary between frame and stack arguments. The target may use it as the address of the arguments.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	bl jumps
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
	.type jumps,@function
jumps:
	mov x0, sp
	b callee

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x0]
	ret
