# The address of a frame leaves SP through a vector register. A callee stores through this address, into a word that holds a function's address.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	push rbx
	push rsi
	sub rsp, 8
	mov rbx, [rdi]
	lea rax, [rip+small]
	mov [rsp], rax
	movq xmm0, rsp
	call store
	mov rdi, rbx
	call [rsp]
	add rsp, 8
	pop rsi
	mov [rsi], rax
	pop rbx
	ret

	.section .text.store,"ax",@progbits
	.type store,@function
store:
	movq rcx, xmm0
	lea rax, [rip+large]
	test bl, 1
	je 1f
	mov [rcx], rax
1:	ret
	.section .text.small,"ax",@progbits
	.type small,@function
small:
	lea rax, [rdi*2 + 1]
	ret
	.section .text.large,"ax",@progbits
	.type large,@function
large:
	sub rsp, 20008
	mov [rsp], rdi
	mov rax, [rsp]
	imul rax, rax, 13
	add rsp, 20008
	ret
