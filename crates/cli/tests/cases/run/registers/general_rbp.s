# rbp is a general register, saved and restored like any other.
//@ export: Run run
	.type run,@function
run:
	push rbp
	push rbx
	mov rbp, [rdi]
	mov rbx, rsi
	imul rbp, rbp, 1000003
	mov rdi, rbp
	call mix
	add rax, rbp
	mov [rbx], rax
	pop rbx
	pop rbp
	ret
	.type mix,@function
mix:
	push rbp
	mov rbp, rdi
	rol rbp, 17
	xor rbp, 12345
	mov rax, rbp
	pop rbp
	ret
