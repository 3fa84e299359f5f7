// The same in a register that a callee reads.
// export Run run
	.type run,@function
run:
	str x30, [sp, #-16]!
	add x1, sp, #16
	bl callee
	ldr x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x1]
	ret
