# `and rsp, -128` in a function that is entered with SP at several remainders modulo 128.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	call wide
	sub rsp, 16
	call wide
	add rsp, 16
	sub rsp, 32
	call wide
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.type wide,@function
wide:
	push rbp
	mov rbp, rsp
	and rsp, -128
	sub rsp, 128
	mov rcx, rsp
	and ecx, 127
	movaps xmmword ptr [rsp], xmm0
	imul rax, rax, 31
	add rax, rcx
	mov rsp, rbp
	pop rbp
	ret
