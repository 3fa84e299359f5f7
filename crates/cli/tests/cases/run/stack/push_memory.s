# Pushes of memory: through a register, with an index, through SP, and of a static; pushes of immediates, short and long.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	push qword ptr [rdi]
	push qword ptr [rsp]
	push qword ptr [rip+constant]
	push 5
	push 100000
	push -3
	pop rax
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	imul rax, rcx
	push r12
	push rbp
	mov r12, rdi
	mov rbp, 8
	xor r10d, r10d
	push qword ptr [rdi + r10*8]
	push qword ptr [r12 + rbp - 8]
	push qword ptr [rsp + r10*2 + 8]
	sub rbp, 8
	lea rcx, [rdi - 512]
	push qword ptr [rcx + rbp*4 + 512]
	mov rbp, rdi
	push qword ptr [rbp + r10*8]
	pop rcx
	add rax, rcx
	pop rcx
	rol rax, 7
	add rax, rcx
	pop rcx
	rol rax, 7
	add rax, rcx
	pop rcx
	rol rax, 7
	add rax, rcx
	pop rcx
	rol rax, 7
	add rax, rcx
	pop rbp
	pop r12
	mov [rsi], rax
	ret

	.section .rodata.constant,"a",@progbits
	.p2align 3
constant:
	.quad 123456789012345
