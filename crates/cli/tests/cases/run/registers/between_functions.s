# Values that hand-written functions pass outside any calling convention: in scratch registers over jumps, as results in
# flags, through frames, over padded calls, and over the stack check of a recursive function.
//@ export: Jump jump
//@ export: Branch branch
//@ export: Carry carry
//@ export: Padded padded
//@ export: Checked checked 16384
	.type jump,@function
jump:
	mov r11, [rdi]
	lea r10, [r11 + 5]
	lea rax, [r10 + r11*2]
	lea rcx, [rax + r10*4]
	jmp finish@PLT
	.type branch,@function
branch:
	mov r11, [rdi]
	lea r10, [r11 + 5]
	lea rax, [r10 + r11*2]
	lea rcx, [rax + r10*4]
	lea rdx, [rax + rcx*4]
	lea r8, [rdx + rcx*2]
	test r11b, 1
	jne finish@PLT
	add r11, r8
	xor r11, rdx
	jmp finish@PLT

# The carry flag is a result, and no register is free.
	.type carry,@function
carry:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	mov rax, rdi
	lea rcx, [rdi + 1]
	lea rdx, [rdi + 2]
	lea rsi, [rdi + 3]
	lea r8, [rdi + 4]
	lea r9, [rdi + 5]
	lea r10, [rdi + 6]
	call framed
	adc rax, rcx
	call leaves
	adc rax, rdx
	adc rax, rsi
	adc rax, r8
	adc rax, r9
	adc rax, r10
	mov [rbx], rax
	pop rbx
	ret
	.type framed,@function
framed:
	lea rsp, [rsp - 40]
	mov [rsp + 8], rdi
	cmp byte ptr [rsp + 8], 100
	lea rsp, [rsp + 40]
	ret
	.type leaves,@function
leaves:
	push rbp
	mov rbp, rsp
	sub rsp, 64
	mov [rsp], rdi
	cmp byte ptr [rsp], 50
	leave
	ret

# Flags are passed to a function that aligns its frame, and returned from it.
	.type padded,@function
padded:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	mov rcx, rax
	add cl, 128
	call wide@PLT
	adc rax, 1000
	push rcx
	cmp al, 77
	call wide@PLT
	sbb rax, 5
	pop rcx
	mov [rbx], rax
	pop rbx
	ret

	.type checked,@function
checked:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	mov rax, rdi
	mov rsi, rdi
	and esi, 15
	call count
	adc rax, 7
	mov [rbx], rax
	pop rbx
	ret
# The deepest level sets the carry flag.
	.type count,@function
count:
	push rsi
	dec rsi
	js 2f
	call count
	adc rax, rdi
	pop rsi
	ret
2:	add dil, 100
	pop rsi
	ret

	.section .text.finish,"ax",@progbits
	.globl finish
	.type finish,@function
finish:
	imul r11, r10
	xor r11, rax
	ror r11, 3
	add r11, rcx
	mov [rsi], r11
	ret

	.section .text.wide,"ax",@progbits
	.globl wide
	.type wide,@function
wide:
	mov edx, 0
	adc rdx, rax
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 128
	mov [rsp + 64], rdx
	mov r9, rsp
	and r9d, 63
	add rdx, r9
	mov rax, rdx
	cmp byte ptr [rsp + 64], 60
	leave
	ret
