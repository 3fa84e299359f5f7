// Frames whose size gcc puts into a register, because no instruction can hold it: by one instruction, by two, and by one before a branch.
//@ export: Run run
//@ export: Parts parts
//@ export: Ways ways
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	stp x19, x20, [sp, #16]
	mov x12, #16400
	sub sp, sp, x12
	mov x19, x1
	ldr x20, [x0]
	str x20, [sp, #16392]
	str x20, [sp, #8]
	add x0, x20, #1
	bl leaf
	ldr x8, [sp, #16392]
	ldr x9, [sp, #8]
	add x0, x0, x8, lsl #1
	add x0, x0, x9
	str x0, [x19]
	mov x12, #16400
	add sp, sp, x12
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.type parts,@function
parts:
	str x30, [sp, #-16]!
	mov x13, #0xa170
	movk x13, #0, lsl #32
	sub sp, sp, x13
	str x1, [sp]
	ldr x0, [x0]
	mov x8, #0xa168
	movk x8, #0, lsl #32
	str x0, [sp, x8]
	bl leaf
	ldr x8, [sp]
	mov x9, #0xa168
	movk x9, #0, lsl #32
	ldr x9, [sp, x9]
	add x0, x0, x9
	str x0, [x8]
	mov x13, #0xa170
	movk x13, #0, lsl #32
	add sp, sp, x13
	ldr x30, [sp], #16
	ret
	.type ways,@function
ways:
	mov x12, #8208
	ldr x8, [x0]
	tbz x8, #0, 1f
	add x8, x8, #7
1:	sub sp, sp, x12
	str x8, [sp, #8]
	eor x8, x8, x12
	ldr x9, [sp, #8]
	add x8, x8, x9
	str x8, [x1]
	neg x9, x12
	mov x12, #8208
	add sp, sp, x12
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	ror x0, x0, #5
	ret
