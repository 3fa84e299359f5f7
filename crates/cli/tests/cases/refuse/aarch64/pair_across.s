// A pair of words of which one is the frame's and one an argument: they move apart.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #48
	stp x30, x1, [sp]
	str x0, [sp, #16]
	bl callee
	ldp x30, x1, [sp]
	add sp, sp, #48
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	sub sp, sp, #16
	str x0, [sp, #8]
	ldp x0, x1, [sp, #8]
	add sp, sp, #16
	ret
