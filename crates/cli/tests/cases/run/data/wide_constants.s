# A 64-byte constant as an operand that must be aligned, in a function that is called. (The path is not taken at run time: not every
# processor has registers for it.)
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	push rsi
	mov rax, [rdi]
	call wide
	pop rsi
	mov [rsi], rax
	ret
	.section .text.wide,"ax",@progbits
	.globl wide
	.type wide,@function
wide:
	cmp rax, -3
	jne 1f
	vmovdqa64 zmm0, zmmword ptr [rip+sixtyfour]
	vmovq rax, xmm0
	vzeroupper
1:	ret

	.section .rodata.sixtyfour,"a",@progbits
	.p2align 6
sixtyfour:
	.quad 1, 2, 3, 4, 5, 6, 7, 8
