# Entries of relative tables are distances to cells, which hold the addresses of data, of places in data, and of functions.
//@ export: Run run
//@ export: Twice twice
	.type run,@function
run:
	mov rax, [rdi]
	and eax, 3
	lea rcx, [rip+table]
	movsxd rax, dword ptr [rcx+rax*4]
	mov rax, [rax+rcx]
	mov rax, [rax]
	mov [rsi], rax
	ret
	.type twice,@function
twice:
	mov rax, [rdi]
	and eax, 1
	lea rcx, [rip+functions]
	movsxd rax, dword ptr [rcx+rax*4]
	mov rax, [rax+rcx]
	mov rdi, [rdi]
	call rax
	mov [rsi], rax
	ret
	.globl add
	.type add,@function
add:
	lea rax, [rdi+7]
	ret
	.globl double
	.type double,@function
double:
	lea rax, [rdi+rdi]
	ret

	.section .rodata.table,"a",@progbits
	.p2align 2
table:
	.long first@GOTPCREL
	.long second@GOTPCREL+4
	.long third@GOTPCREL+8
	.long first@GOTPCREL+12
	.section .rodata.functions,"a",@progbits
	.p2align 2
functions:
	.long add@GOTPCREL
	.long double@GOTPCREL+4
	.section .rodata.values,"a",@progbits
	.p2align 3
	.globl first
first:
	.quad 1001
	.globl second
second:
	.quad 2001
	.section .rodata.third,"a",@progbits
	.p2align 3
	.globl third
third:
	.quad 3001
