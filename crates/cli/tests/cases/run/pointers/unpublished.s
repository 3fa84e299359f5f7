# Code that cannot return stores a function pointer only in its frame, for a panic's message. No later call finds it.
//@ goldens: analyze lower
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
	call keep
	.globl keep
	.type keep,@function
keep:
	sub rsp, 40
	mov [rsp], rsi
	movq xmm0, rsi
	movups [rsp+16], xmm0
	mov qword ptr [rdi], 7
	add qword ptr [rdi], 7
	lock dec qword ptr [rdi]
	mov [rdi], sil
	mov [rdi], esi
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
