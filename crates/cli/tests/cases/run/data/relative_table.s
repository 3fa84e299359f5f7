# A relative lookup table of data: 32-bit distances from the table to other read-only sections.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	and eax, 3
	lea rcx, [rip+table]
	movsxd rax, dword ptr [rcx+rax*4]
	add rax, rcx
	mov rax, [rax]
	mov [rsi], rax
	ret

	.section .rodata.table,"a",@progbits
	.p2align 2
table:
	.long first-table
	.long second-table
	.long third-table
	.long first+8-table
	.section .rodata.first,"a",@progbits
	.p2align 3
first:
	.quad 1001, 1002
	.section .rodata.second,"a",@progbits
	.p2align 3
second:
	.quad 2001
	.section .rodata.third,"a",@progbits
	.p2align 3
third:
	.quad 3001
