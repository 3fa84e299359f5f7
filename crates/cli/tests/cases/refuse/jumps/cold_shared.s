# Two functions jump to one cold fragment, directly and through a table. The fragment belongs to neither function.
//@ export: A_Jump jumps
//@ export: B_Table tables
	.section .text.jumps,"ax",@progbits
	.type jumps,@function
jumps:
	push rbx
	cmp dword ptr [rdi], 3
	je .Lcold
	pop rbx
	ret
	.section .text.tables,"ax",@progbits
	.type tables,@function
tables:
	push rbx
	mov ecx, [rdi]
	and ecx, 1
	lea rdx, [rip+.Ltable]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lhot:
	pop rbx
	ret
	.section .text.unlikely,"ax",@progbits
	.type jumps.cold,@function
jumps.cold:
	nop
.Lcold:
	mov qword ptr [rsi], 1
	pop rbx
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lhot-.Ltable
	.long .Lcold-.Ltable
