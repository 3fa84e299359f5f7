# Where a table leads is loaded from the frame, behind the comparison and the load for another table, which has fewer entries.
//@ export: Run run
	.globl run
	.type run,@function
run:
	sub rsp, 24
	mov rdx, [rdi]
	mov eax, edx
	and eax, 3
	lea rcx, [rip+.Lfour]
	movsxd rax, dword ptr [rcx+rax*4]
	add rax, rcx
	mov [rsp+8], rax
	shr edx, 2
	and edx, 3
.Lblock:
	cmp edx, 1
	ja .Lnone
	lea rcx, [rip+.Ltwo]
	movsxd r8, dword ptr [rcx+rdx*4]
	add r8, rcx
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
.Lc:
	add rdx, 300
	jmp r8
.Ld:
	add rdx, 400
	jmp r8
.Lzero:
	add rdx, rdx
	jmp .Lend
.Lone:
	inc rdx
.Lend:
	mov [rsi], rdx
	add rsp, 24
	ret
	.section .rodata.four,"a",@progbits
	.p2align 2
.Lfour:
	.long .La-.Lfour
	.long .Lb-.Lfour
	.long .Lc-.Lfour
	.long .Ld-.Lfour
	.section .rodata.two,"a",@progbits
	.p2align 2
.Ltwo:
	.long .Lzero-.Ltwo
	.long .Lone-.Ltwo
