# `setb` writes one byte of a register, `mov cx, 7` two bytes. If nothing reads the other bytes, the register is free before the write: r11 for the
# stack check before a recursive call, other registers for a static's address. If something reads the other bytes, the register is not free.
//@ goldens: lower
//@ export: Recurses recurses 16384
//@ export: Kept kept
//@ export: Around around
	.type recurses,@function
recurses:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	and edi, 31
	call sums
	mov [rbx], rax
	pop rbx
	ret
	.type sums,@function
sums:
	cmp rdi, 20
	setb r11b
	test rdi, rdi
	je 2f
	movzx eax, r11b
	push rax
	sub rdi, 1
	call sums
	pop rcx
	lea rax, [rax+rax*2]
	add rax, rcx
	ret
2:	movzx eax, r11b
	ret

	.type kept,@function
kept:
	mov rcx, [rdi]
	mov rdx, rcx
	mov r8, rcx
	mov r9, rcx
	mov r10, rcx
	mov r11, rcx
	xor eax, eax
	mov rdi, rcx
	mov [rip+value], rdx
	cmp qword ptr [rip+value], 100
	mov cx, 7
	setb dl
	setb r8b
	setb r9b
	setb r10b
	setb r11b
	setb dil
	setb al
	add rax, rcx
	add rax, rdx
	add rax, r8
	add rax, r9
	add rax, r10
	add rax, r11
	add rax, rdi
	mov [rsi], rax
	ret

	.type around,@function
around:
	mov rcx, [rdi]
	mov r8d, 9
	test ecx, ecx
	mov eax, 1000
1:	mov [rip+value], rcx
	setb cl
	inc qword ptr [rip+value]
	add rax, [rip+value]
	rol rax, 3
	dec r8d
	jne 1b
	mov [rsi], rax
	ret

	.section .bss.value,"aw",@nobits
	.p2align 3
value:
	.zero 8
