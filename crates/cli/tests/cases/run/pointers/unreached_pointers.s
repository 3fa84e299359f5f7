# Addresses of C functions that nothing calls. C promises that they differ, also from functions in other files with the same code.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	and eax, 3
	lea rcx, [rip+handlers]
	mov rax, [rcx+rax*8]
	lea rdx, [rip+one]
	cmp rax, rdx
	setne cl
	movzx ecx, cl
	lea rdx, [rip+two]
	cmp rax, rdx
	setne dl
	movzx edx, dl
	lea rcx, [rcx+rdx*2]
	test rax, rax
	sete dl
	movzx edx, dl
	lea rcx, [rcx+rdx*4]
	mov [rsi], rcx
	ret
	.globl one
	.type one,@function
one:
	mov eax, 1
	ret
	.globl two
	.type two,@function
two:
	mov eax, 1
	ret
	.type three,@function
three:
	mov eax, 1
	ret

	.section .data.rel.ro.handlers,"aw",@progbits
	.p2align 3
handlers:
	.quad one
	.quad two
	.quad three
	.quad 0
