# Entries of two tables meet in one jump; other jumps use each table. The program takes no function's address.
//@ export: Run run
	.globl run
run:
	mov rax, [rdi]
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
	.section .rodata.table,"a",@progbits
	.p2align 2
.Lfirst:
	.long .La-.Lfirst
	.long .Lc-.Lfirst
.Lsecond:
	.long .Lb-.Lsecond
	.long .Lc-.Lsecond
