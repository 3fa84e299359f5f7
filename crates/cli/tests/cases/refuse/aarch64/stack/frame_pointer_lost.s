// A callee does not restore x29: accesses through x29 would be taken for accesses outside the frame.
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	bl callee
	ldr x0, [x29, #16]
	ldp x29, x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	mov x29, x0
	ret
