# Recursion under a stated budget: one function that calls itself, and two that call each other.
//@ goldens: analyze lower
//@ export: Direct direct 16384
//@ export: Mutual mutual 16384
	.type direct,@function
direct:
	push rbx
	push r14
	push rax
	mov rbx, rsi
	mov r14, [rdi]
	and r14d, 31
	mov rdi, r14
	call sum_to
	mov [rbx], rax
	add rsp, 8
	pop r14
	pop rbx
	ret
	.type sum_to,@function
sum_to:
	test rdi, rdi
	je 2f
	push rdi
	sub rdi, 1
	call sum_to
	pop rdi
	add rax, rdi
	ret
2:	xor eax, eax
	ret
	.type mutual,@function
mutual:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	and edi, 31
	call even
	mov [rbx], rax
	pop rbx
	ret
	.type even,@function
even:
	push rdi
	xor eax, eax
	test rdi, rdi
	je 4f
	sub rdi, 1
	call uneven
	add rax, 3
4:	pop rdi
	ret
	.type uneven,@function
uneven:
	push rdi
	mov eax, 100
	test rdi, rdi
	je 5f
	sub rdi, 1
	call even
	add rax, 7
5:	pop rdi
	ret
