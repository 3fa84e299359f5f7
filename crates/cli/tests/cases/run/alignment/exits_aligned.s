# Calls of heap functions need SP at a multiple of 16. No other instruction of the program depends on SP's alignment.
//@ export: Allocate allocate
	.type allocate,@function
allocate:
	push rbx
	push r14
	push r15
	mov rbx, rdi
	mov r14, rsi
	mov r15, [rdi]
	mov edi, 64
	call malloc@PLT
	test rax, rax
	je 2f
	mov [rax], r15
	mov rdi, rax
	mov r15, [rax]
	call free@PLT
	lea rax, [r15+r15*2]
2:	mov [r14], rax
	pop r15
	pop r14
	pop rbx
	ret
