# Addresses of heap functions, one in data and one stored by code, are called through pointers that are not known.
//@ export: Allocate allocate
	.type allocate,@function
allocate:
	push rbx
	push r14
	push r15
	mov r14, rsi
	mov r15, [rdi]
	mov rax, [rip+allocator@GOTPCREL]
	mov rbx, [rip+free@GOTPCREL]
	mov [rax+8], rbx
	mov edi, 4096
	call chosen
	test rax, rax
	je 2f
	mov [rax+4088], r15
	mov rdi, rax
	mov r15, [rax+4088]
	mov rax, [rip+allocator@GOTPCREL]
	mov rcx, [rax+8]
	call rcx
	lea rax, [r15+r15*4]
2:	mov [r14], rax
	pop r15
	pop r14
	pop rbx
	ret
	.type chosen,@function
chosen:
	push rbx
	mov rax, [rip+allocator@GOTPCREL]
	mov ebx, 0
	call [rax+rbx*8]
	pop rbx
	ret
	.globl allocator
	.data
	.p2align 3
	.type allocator,@object
allocator:
	.quad malloc
	.quad 0
	.size allocator, 16
