// An entry with the body in it would jump to a function whose frame overwrites the frame pointer that Go keeps below SP.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	ldr x0, [x0]
	b framed

	.type framed,@function
framed:
	stp x29, x30, [sp, #-32]!
	stp x20, x19, [sp, #16]
	mov x19, #3
	mul x0, x0, x19
	str x0, [x1]
	ldp x20, x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
