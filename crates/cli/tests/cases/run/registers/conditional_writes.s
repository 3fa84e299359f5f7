# Instructions that keep their destination's old value on some inputs, and so read it. The address of each memory operand needs a free
# register, and the destination is not free.
//@ export: Bsf bsf_zero
//@ export: Bsr bsr_zero
//@ export: Cmov cmov_not
	.macro search name, instruction
	.type \name,@function
\name:
	mov rax, [rdi]
	imul rax, rax, 3
	mov ecx, 1
	mov edx, 1
	mov edi, 1
	mov r8d, 1
	mov r9d, 1
	mov r10d, 1
	mov r11d, 1
	\instruction rax, qword ptr [rip+zero]
	add rax, rcx
	add rax, rdx
	add rax, rdi
	add rax, r8
	add rax, r9
	add rax, r10
	add rax, r11
	mov [rsi], rax
	ret
	.endm
	search bsf_zero, bsf
	search bsr_zero, bsr
	.type cmov_not,@function
cmov_not:
	mov rax, [rdi]
	test rdi, rdi
	cmove rax, [rip+zero]
	mov [rsi], rax
	ret
	.data
	.p2align 3
zero:	.quad 0
