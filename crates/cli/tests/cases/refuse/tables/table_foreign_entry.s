# One entry of a table leads into another function. Without this entry, or without it and all later entries, the jump would go to a wrong place.
//@ export: A_Last last
//@ export: B_First first
	.type last,@function
last:
	mov eax, [rdi]
	cmp eax, 1
	ja .La
	mov eax, eax
	lea rdx, [rip+.Ltable]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, rdx
	jmp rcx
.La:
	ret
	.type first,@function
first:
	mov eax, [rdi]
	cmp eax, 1
	ja .Lb
	mov eax, eax
	lea rdx, [rip+.Lother]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, rdx
	jmp rcx
.Lb:
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .La-.Ltable
	.long .Lb-.Ltable
	.section .rodata.other,"a",@progbits
	.p2align 2
.Lother:
	.long .La-.Lother
	.long .Lb-.Lother
