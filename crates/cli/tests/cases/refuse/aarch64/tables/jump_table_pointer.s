// A jump table in a program that takes a function's address: the jump must not be taken for a jump to that function.
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	adrp x10, pointed
	add x10, x10, :lo12:pointed
	cbz x8, 4f
	and x8, x8, #1
	adrp x9, table
	add x9, x9, :lo12:table
	ldrsw x8, [x9, x8, lsl #2]
	add x9, x9, x8
	br x9
2:	mov x8, #7
3:	str x8, [x1]
	ret
4:	br x10

	.section .text.pointed,"ax",@progbits
	.type pointed,@function
pointed:
	ret

	.section .rodata.table,"a",@progbits
	.p2align 2
table:
	.word 2b-table
	.word 3b-table
