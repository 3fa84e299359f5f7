# A conditional move chooses the table of a jump, in a program that takes a function's address.
//@ export: Run run
	.globl run
run:
	mov rax, [rdi]
	lea r8, [rip+pointed]
	mov [rsi], r8
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip+.Lfirst]
	lea r9, [rip+.Lsecond]
	test eax, 4
	cmovne rdx, r9
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.La:
	inc rax
.Lb:
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
	.long .Lb-.Lfirst
.Lsecond:
	.long .Lb-.Lsecond
	.long .La-.Lsecond
