// Nothing is called and the frame is small, so the entry contains the body: once without a frame, once with a frame and a loop.
//@ goldens: analyze lower
//@ export: Plain plain
//@ export: Pushes pushes
	.type plain,@function
plain:
	ldr x8, [x0]
	mov w9, #12345
	mul x8, x8, x9
	str x8, [x1]
	ret
	.type pushes,@function
pushes:
	str x30, [sp, #-32]!
	stp x20, x19, [sp, #16]
	ldr x19, [x0]
	and x19, x19, #63
	mov w20, #1
2:	cbz x19, 3f
	add x20, x20, x20, lsl #1
	sub x19, x19, #1
	b 2b
3:	str x20, [x1]
	ldp x20, x19, [sp, #16]
	ldr x30, [sp], #32
	ret
