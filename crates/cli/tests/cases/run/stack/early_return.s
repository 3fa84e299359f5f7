# Early returns: the code after a `ret` runs at another stack depth than the code before it.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	push rbx
	push r12
	mov rbx, [rdi]
	test rbx, 1
	je 2f
	sub rsp, 40
	mov [rsp+8], rbx
	call twice
	add rsp, 40
	pop r12
	pop rbx
	mov [rsi], rax
	ret
2:	test rbx, 2
	jne 3f
	mov qword ptr [rsi], 7
	pop r12
	pop rbx
	ret
3:	lea r12, [rbx*4+rbx]
	mov [rsi], r12
	pop r12
	pop rbx
	ret
	.type twice,@function
twice:
	lea rax, [rbx+rbx]
	ret
