# As jump_of_two_tables.s, but the program takes the address of `pointed`. The jump stays in `run` and does not go to `pointed`.
//@ export: Run run
	.globl run
run:
	mov rax, [rdi]
	lea r8, [rip+pointed]
	mov [rsi], r8
	lea rdx, [rip+.Lfirst]
	mov ecx, eax
	and ecx, 1
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.La:
	lea rdx, [rip+.Lsecond]
	mov ecx, eax
	shr ecx, 1
	and ecx, 1
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lb:
	mov ecx, eax
	and ecx, 1
	test eax, 4
	je .Lelse
	lea rdx, [rip+.Lfirst]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp .Ljump
.Lelse:
	lea rdx, [rip+.Lsecond]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
.Ljump:
	shr eax, 3
	jmp rcx
.Lc:
	mov [rsi], rax
	ret
	.globl pointed
pointed:
	mov qword ptr [rsi], 7
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Lfirst:
	.long .La-.Lfirst
	.long .Lc-.Lfirst
.Lsecond:
	.long .Lb-.Lsecond
	.long .Lc-.Lsecond
