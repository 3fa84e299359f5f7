# Constants aligned to 16 and to 64 bytes, as operands that fault if misaligned, and the address of one of them.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	movq xmm0, qword ptr [rdi]
	pshufd xmm0, xmm0, 68
	paddq xmm0, xmmword ptr [rip+sixteen]
	pxor xmm0, xmmword ptr [rip+sixtyfour+16]
	movhlps xmm1, xmm0
	paddq xmm0, xmm1
	movq rax, xmm0
	lea rcx, [rip+sixtyfour]
	mov edx, ecx
	and edx, 63
	add rax, rdx
	add rax, [rcx+48]
	mov [rsi], rax
	ret

	.section .rodata.sixteen,"a",@progbits
	.p2align 4
sixteen:
	.quad 5, 7
	.section .rodata.sixtyfour,"a",@progbits
	.p2align 6
sixtyfour:
	.quad 1, 2, 3, 4, 5, 6, 7, 8
