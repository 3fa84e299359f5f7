# Entries of a relative table refer to cells that hold addresses (GOTPCREL); each address gets one cell.
//@ member: a.rcgu
//@ export: Run run
	.type run,@function
run:
	adrp x9, table
	add x9, x9, :lo12:table
	ret
	.section .rodata.table,"a",@progbits
table:
	.word first@GOTPCREL
	.word second@GOTPCREL+4
	.word first@GOTPCREL+8
	.section .rodata.values,"a",@progbits
	.globl first
first:
	.quad 1001
	.globl second
second:
	.quad 2001
