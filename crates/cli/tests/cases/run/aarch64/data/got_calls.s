// Calls through the GOT, some with the cell's content hoisted into a register, and data addressed through the GOT.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x30, x21, [sp, #-32]!
	stp x20, x19, [sp, #16]
	mov x19, x1
	adrp x20, :got:helper
	ldr x20, [x20, :got_lo12:helper]
	adrp x21, :got:table
	ldr x21, [x21, :got_lo12:table]
	ldr x0, [x0]
	blr x20
	blr x20
	adrp x8, :got:helper
	ldr x8, [x8, :got_lo12:helper]
	blr x8
	and x8, x0, #3
	ldr x8, [x21, x8, lsl #3]
	add x0, x0, x8
	str x0, [x19]
	ldp x20, x19, [sp, #16]
	ldp x30, x21, [sp], #32
	ret

	.section .text.helper,"ax",@progbits
	.globl helper
	.type helper,@function
helper:
	add x0, x0, x0, lsl #2
	add x0, x0, #1
	ret

	.section .rodata.table,"a",@progbits
	.globl table
	.p2align 3
table:
	.xword 11, 222, 3333, 44444
