// As joined_many.s, through an unknown pointer. The caller never returns, so it need not read its saved x30, and x30 bounds no arguments.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #2, lsl #12
	str x30, [sp]
	adrp x8, cell
	ldr x8, [x8, :lo12:cell]
	ldr x9, [x0]
	ldr x8, [x8, x9, lsl #3]
	blr x8
	brk #1
	.type list,@function
list:
	str x30, [sp, #-16]!
	add x0, sp, #16
	bl callee
	ldr x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x0]
	ret
	.section .data.cell,"aw",@progbits
	.p2align 3
cell:
	.xword cell
	.xword list
