# Code that cannot return stores a function pointer, by an atomic exchange, where a later call finds it.
# The call may reach that function too.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	cmp rax, -3
	je 2f
	lea rdx, [rip+hook]
	call [rdx]
	mov [rbx], rax
	pop rbx
	ret
2:	lea rdi, [rip+hook]
	lea rsi, [rip+wild]
	xchg [rdi], rsi
	ud2
	.globl calm
	.type calm,@function
calm:
	inc rax
	ret
	.globl wild
	.type wild,@function
wild:
	neg rax
	ret

	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.quad calm
