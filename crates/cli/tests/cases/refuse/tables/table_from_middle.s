# A jump names the middle of a table and also uses the entries before that place.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 7
	sub rcx, 4
	lea rdx, [rip+.Lmid]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.La:	add rax, 10
	jmp .Ls
.Lb:	imul rax, rax, 20
.Ls:	mov [rsi], rax
	ret
	.section .rodata.tables,"a",@progbits
	.p2align 2
	.long .La-.Lmid, .Lb-.Lmid, .La-.Lmid, .Lb-.Lmid
.Lmid:
	.long .La-.Lmid, .Lb-.Lmid, .Lb-.Lmid, .La-.Lmid
