# Statics smaller than their alignment, and two statics of different alignment in one symbol, because one refers to the other by
# a distance. The results include the low bits of their addresses.
//@ goldens: lower
//@ export: A_Small small
//@ export: B_Shared shared
	.type small,@function
small:
	lea rax, [rip+little]
	lea rcx, [rip+other]
	and eax, 31
	and ecx, 31
	add rax, rcx
	add rax, [rdi]
	add [rip+little], al
	mov byte ptr [rip+little], 5
	add [rip+other], al
	mov byte ptr [rip+other], 7
	mov [rsi], rax
	ret
	.type shared,@function
shared:
	lea rdx, [rip+first]
	movsxd rcx, dword ptr [rdx]
	add rcx, rdx
	mov rax, [rcx]
	and ecx, 31
	add rax, rcx
	add rax, [rdi]
	mov [rsi], rax
	ret
	.section .data.little,"aw",@progbits
	.p2align 5
little:
	.byte 5
	.section .data.other,"aw",@progbits
	.p2align 5
other:
	.byte 7
	.section .rodata.first,"a",@progbits
	.p2align 2
first:
	.long second-first
	.section .rodata.second,"a",@progbits
	.p2align 5
second:
	.quad 77
