// Addresses made from SP before SP moves keep their meaning afterwards, also where the function is fused with its entry.
//@ export: A_Copy copy
//@ export: B_Compared compared
	.globl copy
copy:
	mov x8, sp
	sub x9, sp, #16
	sub sp, sp, #32
	ldr x10, [x0]
	str x10, [sp, #24]
	str x10, [sp, #16]
	ldur x11, [x8, #-8]
	ldr x12, [x9]
	add x11, x11, x12, lsl #1
	str x11, [x1]
	add sp, sp, #32
	ret

	.globl compared
compared:
	sub x9, sp, #32
	mov x8, sp
	sub sp, sp, #32
	cmp sp, x9
	cset x10, eq
	add sp, sp, #32
	cmp sp, x8
	cset x11, eq
	ldr x12, [x0]
	add x10, x10, x11, lsl #1
	add x10, x10, x12
	str x10, [x1]
	ret
