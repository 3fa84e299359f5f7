# Code that cannot return stores its own address, made without a relocation, only in its frame. The address is that of the entry with a stack check.
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
2:	call keep
	ud2
	.type keep,@function
keep:
	lea rsi, [rip+keep]
	sub rsp, 40
	mov [rsp], rsi
	ud2
	.globl calm
	.type calm,@function
calm:
	inc rax
	ret

	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.quad calm
