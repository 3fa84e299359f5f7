# Two jumps use one table, and the comparisons before them allow different numbers of entries.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 7
	test al, 8
	jz 1f
	cmp ecx, 1
	ja .Ld
	lea rdx, [rip+.LT]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
1:	cmp ecx, 5
	ja .Ld
	lea rdx, [rip+.LT]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.La:	add rax, 10
	jmp .Ls
.Lb:	imul rax, rax, 20
	jmp .Ls
.Ld:	xor eax, 77
.Ls:	mov [rsi], rax
	ret
	.section .text.unused,"ax",@progbits
	.type unused,@function
unused:	lea rax, [rip+.LT+4]
	ret
	.section .rodata.tables,"a",@progbits
	.p2align 2
.LT:	.long .La-.LT, .Lb-.LT, .Lb-.LT, .Lb-.LT, .La-.LT, .La-.LT
