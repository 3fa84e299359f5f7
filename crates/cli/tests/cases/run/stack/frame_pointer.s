# A frame pointer, `leave`, and `lea rsp, [rbp-x]` before the pops.
//@ goldens: analyze
//@ export: Run run
//@ export: Lea lea_back
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	sub rsp, 64
	mov rax, [rdi]
	mov [rbp-8], rax
	mov [rsp], rax
	mov rax, [rbp-8]
	add rax, [rsp]
	mov [rsi], rax
	leave
	ret
	.type lea_back,@function
lea_back:
	push rbp
	mov rbp, rsp
	push r14
	push rbx
	sub rsp, 112
	mov rbx, [rdi]
	mov r14, rsi
	mov [rsp+104], rbx
	not rbx
	test bl, 4
	jne 5f
	xor rbx, [rsp+104]
5:	mov [r14], rbx
	lea rsp, [rbp-16]
	pop rbx
	pop r14
	pop rbp
	ret
