# Data holds the address of data in a section of code.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rip + pointer]
	mov [rsi], rax
	ret
	.section .text.table,"ax",@progbits
	.globl function
	.type function,@function
function:
	ret
	.type table,@object
table:
	.quad 0x90909090, 0xc3c3c3
	.size table, 16
	.data
pointer:
	.quad table
