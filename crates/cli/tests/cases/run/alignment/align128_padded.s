# `and rsp, -128` in a function of another section. Calls of this function are padded, so that SP has the required alignment on entry.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	call wide
	sub rsp, 16
	call wide
	add rsp, 16
	sub rsp, 32
	call wide
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.section .text.wide,"ax",@progbits
	.globl wide
	.type wide,@function
wide:
	push rbp
	mov rbp, rsp
	and rsp, -128
	sub rsp, 128
	mov rcx, rsp
	and ecx, 127
	movaps xmmword ptr [rsp], xmm0
	imul rax, rax, 31
	add rax, rcx
	mov rsp, rbp
	pop rbp
	ret
