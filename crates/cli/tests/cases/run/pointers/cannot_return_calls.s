# Code that cannot return calls a function through a pointer, and no other code takes that function's address.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	cmp rax, -3
	je 2f
	mov [rsi], rax
	ret
2:	lea rdi, [rip + wild]
	call leap
	ud2
	.section .text.leap,"ax",@progbits
	.globl leap
	.type leap,@function
leap:
	sub rsp, 24
	call rdi
	ud2
	.section .text.wild,"ax",@progbits
	.globl wild
	.type wild,@function
wild:
	push rbp
	neg rax
	pop rbp
	ret
