# A jump target is loaded from the frame, after the comparison and the load for another table, which has more entries.
//@ export: Run run
	.globl run
	.type run,@function
run:
	sub rsp, 24
	mov rdx, [rdi]
	mov eax, edx
	and eax, 1
	lea rcx, [rip+.Ltwo]
	movsxd rax, dword ptr [rcx+rax*4]
	add rax, rcx
	mov [rsp+8], rax
	shr edx, 1
	and edx, 7
.Lblock:
	cmp edx, 3
	ja .Lnone
	lea rcx, [rip+.Lfour]
	movsxd rax, dword ptr [rcx+rdx*4]
	add rax, rcx
	mov r8, rax
	mov rax, [rsp+8]
	jmp rax
.Lnone:
	mov r8d, 0
	mov rdx, 40
	jmp .Lend
.La:
	add rdx, 100
	jmp r8
.Lb:
	add rdx, 200
	jmp r8
.Lzero:
	add rdx, rdx
	jmp .Lend
.Lone:
	inc rdx
	jmp .Lend
.Ltwice:
	sub rdx, 7
	jmp .Lend
.Lthrice:
	xor rdx, 85
.Lend:
	mov [rsi], rdx
	add rsp, 24
	ret
	.section .rodata.two,"a",@progbits
	.p2align 2
.Ltwo:
	.long .La-.Ltwo
	.long .Lb-.Ltwo
	.section .rodata.four,"a",@progbits
	.p2align 2
.Lfour:
	.long .Lzero-.Lfour
	.long .Lone-.Lfour
	.long .Ltwice-.Lfour
	.long .Lthrice-.Lfour
