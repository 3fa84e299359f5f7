# Jumps to other functions with SP as on entry, conditional and unconditional; one to a function of another section.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	test eax, 1
	jne odd@PLT
	cmp rax, 100
	ja big
	jmp store@PLT

	.section .text.odd,"ax",@progbits
	.globl odd
	.type odd,@function
odd:
	push rbx
	mov rbx, 3
	imul rax, rbx
	inc rax
	pop rbx
	test eax, 2
	je store@PLT
	neg rax
	jmp store@PLT

	.section .text.big,"ax",@progbits
	.globl big
	.type big,@function
big:
	shr rax, 1
	jmp store@PLT

	.section .text.store,"ax",@progbits
	.globl store
	.type store,@function
store:
	mov [rsi], rax
	ret
