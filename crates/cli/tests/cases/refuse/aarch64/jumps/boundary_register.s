// A call passes on the address of the boundary between frame and stack arguments, in a register that no calling convention uses for arguments.
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
	str x30, [sp, #-16]!
	add x12, sp, #16
	bl callee
	ldr x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x12]
	ret
