# `and rsp, -32` in a function and in one that it calls; the result includes SP modulo 32.
//@ export: Run run
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	push rbx
	and rsp, -32
	sub rsp, 96
	mov rax, [rdi]
	mov rbx, rsi
	mov [rsp], rax
	mov [rsp+32], rax
	mov rcx, rsp
	and ecx, 31
	add rax, rcx
	call 6f
	mov [rbx], rax
	lea rsp, [rbp-8]
	pop rbx
	pop rbp
	ret
	.type inner,@function
inner:
6:	push rbp
	mov rbp, rsp
	and rsp, -32
	sub rsp, 32
	mov rcx, rsp
	and ecx, 31
	lea rax, [rax+rcx*8+3]
	mov rsp, rbp
	pop rbp
	ret
	.size inner, .-inner
