# Two jump tables in one section; the second jump happens after a push.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 7
	cmp ecx, 4
	ja .Lother
	lea rdx, [rip+.Lfirst]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Ladd:
	add rax, 10
	jmp .Lstore
.Lmul:
	imul rax, rax, 20
	jmp .Lstore
.Lnested:
	push rbx
	mov ebx, eax
	shr ebx, 3
	and ebx, 1
	lea rdx, [rip+.Lsecond]
	movsxd rcx, dword ptr [rdx+rbx*4]
	add rcx, rdx
	jmp rcx
.Lxor4:
	xor rax, 40
	mov [rsi], rax
	pop rbx
	ret
.Lxor5:
	xor rax, 50
	mov [rsi], rax
	pop rbx
	ret
.Lother:
	mov eax, 90
.Lstore:
	mov [rsi], rax
	ret

	.section .rodata.tables,"a",@progbits
	.p2align 2
.Lfirst:
	.long .Ladd-.Lfirst
	.long .Lmul-.Lfirst
	.long .Lnested-.Lfirst
	.long .Lstore-.Lfirst
	.long .Lnested-.Lfirst
.Lsecond:
	.long .Lxor4-.Lsecond
	.long .Lxor5-.Lsecond
