// Frames whose size is in a register: the size differs between paths, only its lower half is changed, SP is aligned before, SP leaves the
// frame, or the size is so large that SP wraps around.
//@ export: Ways ways
//@ export: Half half
//@ export: Aligned aligned
//@ export: Above above
//@ export: Wraps wraps
	.type ways,@function
ways:
	mov x12, #16400
	tbz x1, #4, 1f
	mov x12, #16416
1:	sub sp, sp, x12
	add sp, sp, x12
	ret
	.type half,@function
half:
	mov x12, #16400
	add w12, w12, #0
	sub sp, sp, x12
	mov x12, #16400
	add sp, sp, x12
	ret
	.type aligned,@function
aligned:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	mov x12, #16400
	sub sp, sp, x12
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
	.type above,@function
above:
	mov x12, #16400
	add sp, sp, x12
	sub sp, sp, x12
	ret
	.type wraps,@function
wraps:
	mov x12, #16
	movk x12, #0x8000, lsl #48
	sub sp, sp, #32
	sub sp, sp, x12
	ret
