# Tables of addresses inside a function, as compilers make them for computed goto: jumps through the tables, and a jump to a value that was
# stored in memory. One label is the start of a cold fragment.
//@ goldens: analyze lower
//@ export: A_Indexed indexed
//@ export: B_Loaded loaded
	.section .text.indexed,"ax",@progbits
	.type indexed,@function
indexed:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip + labels]
	jmp [rdx + 8*rcx]
.Leven:
	mov qword ptr [rsi], 2
	ret
.Lodd:
	shr eax
	mov ecx, eax
	and ecx, 1
	jmp [rdx + 8*rcx + 16]
.Lafter:
	mov qword ptr [rsi], 1
	ret

	.section .text.loaded,"ax",@progbits
	.type loaded,@function
loaded:
	sub rsp, 24
	mov ecx, [rdi]
	and ecx, 1
	lea rdx, [rip + more]
	mov rdx, [rdx + 8*rcx]
	lea rcx, [rsp + 8]
	mov [rcx], rdx
	mov rdx, rcx
	shr rdx, 3
	mov rdx, [8*rdx]
	jmp rdx
.Lone:
	mov qword ptr [rsi], 1
	add rsp, 24
	ret
	.section .text.unlikely,"ax",@progbits
	.type loaded.cold,@function
loaded.cold:
.Lcold:
	mov qword ptr [rsi], 7
	jmp .Lone+7

	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels:
	.quad .Leven
	.quad .Lodd
	.quad .Lafter
	.quad .Leven
	.section .data.rel.ro.more,"aw",@progbits
	.p2align 3
more:
	.quad .Lone
	.quad .Lcold
