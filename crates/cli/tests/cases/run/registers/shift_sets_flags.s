# A shift by a nonzero constant sets all flags that are read after it. So no flags are live at the call before the shift, and the callee may
# move SP. (Compilers emit such a shift to see whether a 64-bit division fits in 32 bits.) A shift by a multiple of 64 sets no flags.
//@ export: Run run
//@ export: Zero zero
	.type run,@function
run:
	push rbx
	mov rbx, [rdi]
	call odd
	mov rcx, rbx
	shr rcx, 32
	je 1f
	add rax, 5
1:	bswap rbx
	call odd
	mov rdx, rbx
	sar rdx, 1
	jc 2f
	add rax, 9
2:	mov [rsi], rax
	pop rbx
	ret
	.type zero,@function
zero:
	push rbx
	mov rbx, [rdi]
	test bl, 4
	lea rsp, [rsp-64]
	.byte 0x48, 0xc1, 0xe3, 0x40 # shl rbx, 64
	lea rsp, [rsp+64]
	je 3f
	inc rbx
3:	mov [rsi], rbx
	pop rbx
	ret

	.section .text.odd,"ax",@progbits
	.type odd,@function
odd:
	sub rsp, 4
	mov byte ptr [rsp], bl
	movzx eax, byte ptr [rsp]
	add rsp, 4
	ret
