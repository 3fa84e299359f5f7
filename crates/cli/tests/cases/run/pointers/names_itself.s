# Functions make their own address, and a neighbour's in the same section, without a relocation: the assembler knows the distances.
//@ goldens: analyze lower
//@ export: Run run
//@ export: Compares compares
	.type run,@function
run:
	push rbx
	push r14
	sub rsp, 8
	mov rbx, rsi
	mov r14, [rdi]
	mov r8d, 1
	lea rax, [rip + even]
2:	mov edi, r14d
	shr r14, 1
	call rax
	test r14, r14
	jne 2b
	mov [rbx], r8
	add rsp, 8
	pop r14
	pop rbx
	ret

# Each function returns the address of the function to call next.
	.type even,@function
even:
	lea r8, [r8 + r8*2 + 1]
	lea rax, [rip + even]
	test dil, 1
	je 3f
	lea rax, [rip + odd]
3:	ret
	.type odd,@function
odd:
	rol r8, 7
	lea rcx, [rip + even]
	lea rax, [rip + odd]
	test dil, 1
	cmove rax, rcx
	ret

# The function's address is the same wherever it is made.
	.type compares,@function
compares:
	mov rax, [rdi]
	lea rcx, [rip + compares]
	lea rdx, [rip + odd]
	sub rdx, rcx
	setne cl
	lea rdx, [rip + compares]
	sub rdx, [rip + itself]
	movzx ecx, cl
	add rax, rcx
	add rax, rdx
	mov [rsi], rax
	ret
	.section .data.rel.ro.itself,"aw",@progbits
	.balign 8
itself:	.quad compares
