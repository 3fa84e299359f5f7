// Every register that a callee may change is in use where lowered code needs one: where the frame is made, in one move and in two; where it is
// aligned; and where an address is completed whose upper part is read later. One register is saved next to the return address.
//@ export: A_Made made
//@ export: B_MadeInTwo made_in_two
//@ export: C_Aligned aligned
//@ export: D_Completed completed
	.globl made
made:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	bl makes
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type makes,@function
makes:
	add x1, x0, #3
	add x2, x0, #6
	add x3, x0, #9
	add x4, x0, #12
	add x5, x0, #15
	add x6, x0, #18
	add x7, x0, #21
	add x8, x0, #24
	add x9, x0, #27
	add x10, x0, #30
	add x11, x0, #33
	add x12, x0, #36
	add x13, x0, #39
	add x14, x0, #42
	add x15, x0, #45
	add x16, x0, #48
	add x17, x0, #51
	sub sp, sp, #1024
	str x0, [sp]
	str x17, [sp, #1016]
	ldr x0, [sp]
	eor x0, x0, x1, ror #1
	eor x0, x0, x2, ror #2
	eor x0, x0, x3, ror #3
	eor x0, x0, x4, ror #4
	eor x0, x0, x5, ror #5
	eor x0, x0, x6, ror #6
	eor x0, x0, x7, ror #7
	eor x0, x0, x8, ror #8
	eor x0, x0, x9, ror #9
	eor x0, x0, x10, ror #10
	eor x0, x0, x11, ror #11
	eor x0, x0, x12, ror #12
	eor x0, x0, x13, ror #13
	eor x0, x0, x14, ror #14
	eor x0, x0, x15, ror #15
	eor x0, x0, x16, ror #16
	eor x0, x0, x17, ror #17
	ldr x17, [sp, #1016]
	add x0, x0, x17
	add sp, sp, #1024
	ret

	.globl made_in_two
made_in_two:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	bl makes_in_two
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type makes_in_two,@function
makes_in_two:
	add x1, x0, #3
	add x2, x0, #6
	add x3, x0, #9
	add x4, x0, #12
	add x5, x0, #15
	add x6, x0, #18
	add x7, x0, #21
	add x8, x0, #24
	add x9, x0, #27
	add x10, x0, #30
	add x11, x0, #33
	add x12, x0, #36
	add x13, x0, #39
	add x14, x0, #42
	add x15, x0, #45
	add x16, x0, #48
	add x17, x0, #51
	sub sp, sp, #2, lsl #12
	sub sp, sp, #1040
	str x0, [sp]
	str x17, [sp, #8192]
	ldr x0, [sp]
	eor x0, x0, x1, ror #1
	eor x0, x0, x2, ror #2
	eor x0, x0, x3, ror #3
	eor x0, x0, x4, ror #4
	eor x0, x0, x5, ror #5
	eor x0, x0, x6, ror #6
	eor x0, x0, x7, ror #7
	eor x0, x0, x8, ror #8
	eor x0, x0, x9, ror #9
	eor x0, x0, x10, ror #10
	eor x0, x0, x11, ror #11
	eor x0, x0, x12, ror #12
	eor x0, x0, x13, ror #13
	eor x0, x0, x14, ror #14
	eor x0, x0, x15, ror #15
	eor x0, x0, x16, ror #16
	eor x0, x0, x17, ror #17
	ldr x17, [sp, #8192]
	add x0, x0, x17
	add sp, sp, #1040
	add sp, sp, #2, lsl #12
	ret

	.globl aligned
aligned:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	ldr x0, [x0]
	add x1, x0, #3
	add x2, x0, #6
	add x3, x0, #9
	add x4, x0, #12
	add x5, x0, #15
	add x6, x0, #18
	add x7, x0, #21
	add x8, x0, #24
	add x10, x0, #30
	add x11, x0, #33
	add x12, x0, #36
	add x13, x0, #39
	add x14, x0, #42
	add x15, x0, #45
	add x16, x0, #48
	add x17, x0, #51
	sub x9, sp, #192
	and sp, x9, #0xffffffffffffffc0
	add x9, x0, #9
	str x0, [sp, #64]
	str x17, [sp, #128]
	ldr x0, [sp, #64]
	eor x0, x0, x1, ror #1
	eor x0, x0, x2, ror #2
	eor x0, x0, x3, ror #3
	eor x0, x0, x4, ror #4
	eor x0, x0, x5, ror #5
	eor x0, x0, x6, ror #6
	eor x0, x0, x7, ror #7
	eor x0, x0, x8, ror #8
	eor x0, x0, x9, ror #9
	eor x0, x0, x10, ror #10
	eor x0, x0, x11, ror #11
	eor x0, x0, x12, ror #12
	eor x0, x0, x13, ror #13
	eor x0, x0, x14, ror #14
	eor x0, x0, x15, ror #15
	eor x0, x0, x16, ror #16
	eor x0, x0, x17, ror #17
	ldr x17, [sp, #128]
	add x0, x0, x17
	str x0, [x19]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.globl completed
completed:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x19, x1
	ldr x0, [x0]
	add x1, x0, #3
	add x2, x0, #6
	add x3, x0, #9
	add x4, x0, #12
	add x5, x0, #15
	add x6, x0, #18
	add x7, x0, #21
	add x9, x0, #27
	add x10, x0, #30
	add x11, x0, #33
	add x12, x0, #36
	add x13, x0, #39
	add x14, x0, #42
	add x15, x0, #45
	add x16, x0, #48
	add x17, x0, #51
	adrp x8, value
	ldr x17, [x8, :lo12:value+8]
	str x17, [sp, #24]
	add x17, x0, #5
	eor x0, x0, x1, ror #1
	eor x0, x0, x2, ror #2
	eor x0, x0, x3, ror #3
	eor x0, x0, x4, ror #4
	eor x0, x0, x5, ror #5
	eor x0, x0, x6, ror #6
	eor x0, x0, x7, ror #7
	eor x0, x0, x9, ror #9
	eor x0, x0, x10, ror #10
	eor x0, x0, x11, ror #11
	eor x0, x0, x12, ror #12
	eor x0, x0, x13, ror #13
	eor x0, x0, x14, ror #14
	eor x0, x0, x15, ror #15
	eor x0, x0, x16, ror #16
	eor x0, x0, x17, ror #17
	ldr x17, [sp, #24]
	add x0, x0, x17
	adrp x9, value
	sub x9, x9, x8
	add x0, x0, x9
	str x0, [x19]
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.section .rodata.value,"a",@progbits
	.p2align 3
value:
	.xword 1001, 1003
