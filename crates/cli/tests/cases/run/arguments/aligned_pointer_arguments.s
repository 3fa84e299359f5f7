# Functions that are called through pointers align their frames and access their stack arguments through an address or by an index: all words
# that the callers may pass are copied.
//@ export: Address address
//@ export: Index index
	.type address,@function
address:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	sub rsp, 32
	mov [rsp], rdi
	lea rax, [rdi + 7]
	mov [rsp + 8], rax
	imul rax, rdi
	mov [rsp + 16], rax
	call middle
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.globl middle
	.type middle,@function
middle:
	mov rax, [rip+function]
	jmp rax
	.globl all
	.type all,@function
all:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	lea rdi, [rbp+16]
	call sum
	mov rcx, rsp
	and ecx, 63
	add rax, rcx
	leave
	ret
	.globl sum
	.type sum,@function
sum:
	mov rax, [rdi]
	lea rax, [rax + 2*rax]
	add rax, [rdi+8]
	lea rax, [rax + 4*rax]
	add rax, [rdi+16]
	ret
	.type index,@function
index:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	lea rax, [rdi + 1]
	lea rcx, [rdi + 2]
	imul rcx, rcx
	push rcx
	push rax
	sub rsp, 16
	mov qword ptr [rsp], 3
	mov [rsp + 8], rdi
	call [rip+second]
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.globl nth
	.type nth,@function
nth:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	and edi, 3
	mov rax, [rbp+8*rdi+16]
	leave
	ret
	.section .data.function,"aw",@progbits
	.p2align 3
function:
	.quad all
second:
	.quad nth
