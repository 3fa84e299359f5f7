// Stack arguments are accessed only by an index, from an address inside the frame: gcc moves constants from an index into the address. Each
// function makes the address in another way. The last one, and one whose caller reads back what it passes, also read an argument at its own
// offset. In the latter function only this read shows that it has stack arguments.
//@ export: Run run
	.macro call function, index
	str x19, [sp]
	mvn x0, x19
	str x0, [sp, #8]
	mov x1, #\index
	bl \function
	add x20, x0, x20, lsl #1
	.endm
	.type run,%function
run:
	stp x29, x30, [sp, #-64]!
	stp x19, x20, [sp, #32]
	str x1, [sp, #48]
	ldr x19, [x0]
	mov x20, #7
	sub sp, sp, #16
	call by_sum, 32
	call by_offset, 24
	call by_addition, 32
	call and_at_its_place, 24
	add sp, sp, #16
	mov x0, x19
	bl reads_back
	add x20, x0, x20, lsl #1
	ldr x1, [sp, #48]
	str x20, [x1]
	ldp x19, x20, [sp, #32]
	ldp x29, x30, [sp], #64
	ret
	.macro begin function
	.section .text.\function,"ax",@progbits
	.type \function,%function
\function:
	.endm
	begin reads_back
	sub sp, sp, #32
	stp x29, x30, [sp, #16]
	str x0, [sp]
	ldr x3, [sp]
	mov x1, #16
	bl of_who_reads_back
	ldp x29, x30, [sp, #16]
	add sp, sp, #32
	ret
	begin of_who_reads_back
	sub sp, sp, #32
	ldr x2, [sp, #32]
	add x4, sp, #16
	ldr x0, [x4, x1]
	add x0, x0, x2, lsl #3
	add sp, sp, #32
	ret
	begin by_sum
	sub sp, sp, #32
	str x0, [sp]
	add x4, sp, x1
	ldr x0, [x4, #8]
	add sp, sp, #32
	ret
	begin by_offset
	sub sp, sp, #32
	str x0, [sp]
	add x4, sp, #16
	ldr x0, [x4, x1]
	add sp, sp, #32
	ret
	begin by_addition
	sub sp, sp, #32
	str x0, [sp]
	add x4, sp, #8
	add x4, x4, x1
	ldr x0, [x4]
	add sp, sp, #32
	ret
	begin and_at_its_place
	sub sp, sp, #32
	ldr x2, [sp, #32]
	add x4, sp, #16
	ldr x0, [x4, x1]
	add x0, x0, x2, lsl #3
	add sp, sp, #32
	ret
