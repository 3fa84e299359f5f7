# A call with a misaligned SP, of a function that uses an aligned store in its frame or masks SP.
//@ export: Run run
//@ export: Masks masks
	.type run,@function
run:
	call wide
	mov [rsi], rax
	ret
	.section .text.wide,"ax",@progbits
	.type wide,@function
wide:
	sub rsp, 24
	movaps xmmword ptr [rsp], xmm0
	mov rax, [rsp]
	add rsp, 24
	ret
	.section .text.masks,"ax",@progbits
	.type masks,@function
masks:
	call masked
	mov [rsi], rax
	ret
	.section .text.masked,"ax",@progbits
	.type masked,@function
masked:
	push rbp
	mov rbp, rsp
	and rsp, -16
	sub rsp, 16
	mov [rsp], rdi
	mov rax, [rsp]
	leave
	ret
