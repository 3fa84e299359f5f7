# Read-only data that needs more alignment than Go provides may lie among the code, but not if it holds a pointer.
//@ export: Run run
	.type run,@function
run:
	lea rax, [rip+table]
	mov rax, [rax]
	mov rax, [rax]
	mov [rsi], rax
	ret
	.section .rodata.table,"a",@progbits
	.p2align 6
table:
	.quad number
	.section .rodata.number,"a",@progbits
	.p2align 3
number:
	.quad 5
