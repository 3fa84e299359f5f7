# rbp as a general register, saved and restored like any other.
# export Run run
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
mix:
	push rbp
	mov rbp, rdi
	rol rbp, 17
	xor rbp, 12345
	mov rax, rbp
	pop rbp
	ret
