# The jump's target is the sum of a label's address and a distance. The function stores the sum in its frame and loads it again, as gcc -O0 does.
//@ export: Run run
	.type run,@function
run:
	sub rsp, 24
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip + distances]
	movsxd rcx, dword ptr [rdx + 4*rcx]
	add rcx, [rip + base]
	mov [rsp + 8], rcx
	mov rax, [rdi]
	mov rcx, [rsp + 8]
	jmp rcx
.Lone:
	inc rax
	mov [rsi], rax
	add rsp, 24
	ret
.Ltwo:
	neg rax
	mov [rsi], rax
	add rsp, 24
	ret

	.section .data.base,"aw",@progbits
	.p2align 3
base:
	.quad .Lone
	.section .rodata.distances,"a",@progbits
	.p2align 2
distances:
	.long 0
	.long .Ltwo - .Lone
