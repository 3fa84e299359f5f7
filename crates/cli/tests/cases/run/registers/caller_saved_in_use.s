# A static is accessed while every caller-saved register is in use, and the callee-saved registers are not free either. One access is by `mul`,
# which uses two registers without naming them.
//@ goldens: lower
//@ export: Run run
//@ export: Product product
	.type run,@function
run:
	mov rax, [rdi]
	.irp reg, rcx, rdx, r8, r9, r10, r11
	lea rax, [rax + 2*rax]
	mov \reg, rax
	.endr
	add [rip + counter], rax
	.irp reg, rcx, rdx, r8, r9, r10, r11
	rol rax, 3
	xor rax, \reg
	.endr
	xor rax, rdi
	xor rax, rdi
	mov [rsi], rax
	ret
	.section .text.product,"ax",@progbits
	.type product,@function
product:
	mov rax, [rdi]
	.irp reg, rcx, r8, r9, r10, r11
	lea rax, [rax + 2*rax]
	mov \reg, rax
	.endr
	mul qword ptr [rip + factor]
	add rax, rdx
	.irp reg, rcx, r8, r9, r10, r11
	rol rax, 3
	xor rax, \reg
	.endr
	xor rax, rdi
	xor rax, rdi
	mov [rsi], rax
	ret
	.section .data.factor,"aw",@progbits
	.p2align 3
factor:
	.quad 0x123456789abcdef
	.section .data.counter,"aw",@progbits
	.p2align 3
counter:
	.quad 7
