// Weak references to undefined symbols are null: read from the GOT, and in data. A call of such a symbol faults like a call through
// a null pointer. (A native linker removes the call; the native program does not execute it.)
//@ goldens: analyze lower
//@ export: Compared compared
//@ export: Words words
//@ export: CallFaults call
//@ export: JumpFaults jump
//@ export: PointerFaults pointer
	.weak hook
	.weak variable

	.type compared,@function
compared:
	adrp x8, :got:hook
	ldr x8, [x8, :got_lo12:hook]
	adrp x9, :got:variable
	ldr x9, [x9, :got_lo12:variable]
	ldr x0, [x0]
	cbnz x9, 1f
	add x0, x0, #5
1:	cmp x8, #0
	cset x8, eq
	add x0, x0, x8
	str x0, [x1]
	ret

	.type words,@function
words:
	ldr x8, [x0]
	and x8, x8, #3
	adrp x9, table
	add x9, x9, :lo12:table
	ldr x0, [x9, x8, lsl #3]
	str x0, [x1]
	ret

	.type call,@function
call:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	cmn x0, #1
	b.ne 1f
	bl hook
1:	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret

	.type jump,@function
jump:
	ldr x0, [x0]
	str x0, [x1]
	cmn x0, #1
	b.ne 1f
	b hook
1:	ret

	.type pointer,@function
pointer:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	adrp x8, :got:hook
	ldr x8, [x8, :got_lo12:hook]
	ldr x0, [x0]
	cmn x0, #1
	b.ne 1f
	blr x8
1:	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret

	.section .data.rel.ro.table,"aw",@progbits
	.p2align 3
table:
	.xword hook
	.xword hook+7
	.xword variable
	.xword 9
