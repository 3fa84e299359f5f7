# Calls and jumps through pointers in a program that takes no function's address: they are never executed.
//@ goldens: analyze lower
//@ export: A_Call calls
//@ export: B_Jump jumps
	.globl calls
calls:
	push rbx
	mov rbx, rsi
	mov rax, [rip+hook]
	test rax, rax
	je .Lnone
	mov rdi, [rdi]
	call rax
	mov [rbx], rax
	pop rbx
	ret
.Lnone:
	mov rax, [rdi]
	add rax, 5
	mov [rbx], rax
	pop rbx
	ret
	.globl jumps
jumps:
	mov rax, [rip+hook]
	mov rcx, [rdi]
	test rax, rax
	je .Lstay
	jmp rax
.Lstay:
	mov [rsi], rcx
	ret
	.section .bss.hook,"aw",@nobits
	.p2align 3
hook:
	.zero 8
