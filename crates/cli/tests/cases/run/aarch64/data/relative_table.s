// A relative lookup table of data: 32-bit distances from the table to other read-only sections.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	and x8, x8, #3
	adrp x9, table
	add x9, x9, :lo12:table
	ldrsw x8, [x9, x8, lsl #2]
	ldr x8, [x9, x8]
	str x8, [x1]
	ret

	.section .rodata.table,"a",@progbits
	.p2align 2
table:
	.word first-table
	.word second-table
	.word third-table
	.word first+8-table
	.section .rodata.first,"a",@progbits
	.p2align 3
first:
	.xword 1001, 1002
	.section .rodata.second,"a",@progbits
	.p2align 3
second:
	.xword 2001
	.section .rodata.third,"a",@progbits
	.p2align 3
third:
	.xword 3001
