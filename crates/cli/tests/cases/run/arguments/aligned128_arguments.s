# As aligned_arguments.s, with a frame that is aligned to 128: called at each remainder of SP, with arguments that the callee
# changes, passes on by a jump, or reads in part; with a result in memory.
# The native program has no aligning entries. Such an entry needs up to 128 bytes of stack and room for the copied arguments.
//@ bounds: hold
//@ export: Run run
//@ export: Jumps jumps
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	push rbx
	push r12
	push r13
	mov rbx, [rdi]
	mov r12, rsi
	lea r13, [rip+functions]
	xor eax, eax
# Three words and one of padding, at eight stack depths, for each of the two functions.
	.irp down, 0, 16, 32, 48, 64, 80, 96, 112
	.irp which, 0, 8
	sub rsp, \down+8
	lea rdx, [rbx+\down]
	push rdx
	not rdx
	push rdx
	push rbx
	mov rdi, rax
	call [r13+\which]
	add rsp, \down+32
	.endr
	.endr
# A direct call.
	push rax
	push rbx
	push rax
	push rbx
	mov rdi, rax
	call wide
	add rsp, 32
	mov [r12], rax
	pop r13
	pop r12
	pop rbx
	ret

# Aligned to 128; takes three words, overwrites the second and reads it again, and reads one byte of the third.
	.section .text.wide,"ax",@progbits
	.globl wide
	.type wide,@function
wide:
	push rbp
	mov rbp, rsp
	and rsp, -128
	sub rsp, 128
	mov rax, rsp
	and eax, 127
	movaps xmmword ptr [rsp], xmm0
	movaps xmmword ptr [rsp+64], xmm0
	imul rdi, rdi, 31
	add rax, rdi
	add rax, [rbp+16]
	add [rbp+24], rax
	rol rax, 7
	xor rax, [rbp+24]
	movzx ecx, byte ptr [rbp+32]
	add rax, rcx
	leave
	ret

# Aligned to 32; jumps on through a pointer, with the same arguments.
	.section .text.jumps_on,"ax",@progbits
	.globl jumps_on
	.type jumps_on,@function
jumps_on:
	push rbp
	mov rbp, rsp
	and rsp, -32
	sub rsp, 64
	mov rax, rsp
	and eax, 31
	movaps xmmword ptr [rsp+32], xmm0
	add rdi, rax
	add rdi, [rbp+16]
	not rdi
	mov [rbp+16], rdi
	leave
	jmp [rip+functions]

# A function changes the words that its caller passed and jumps on with them, through a pointer.
	.section .text.jumps,"ax",@progbits
	.type jumps,@function
jumps:
	push r12
	mov r12, rsi
	mov rdi, [rdi]
	push rdi
	push rdi
	push rdi
	push rdi
	call hands_on
	add rsp, 32
	mov [r12], rax
	pop r12
	ret
	.globl hands_on
	.type hands_on,@function
hands_on:
	mov rax, rdi
	xor [rsp+16], rax
	add [rsp+8], rax
	lea rcx, [rip+functions]
	jmp [rcx+8]

	.section .data.rel.ro.functions,"aw",@progbits
	.p2align 3
functions:
	.quad wide
	.quad jumps_on
