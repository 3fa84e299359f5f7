# An entry of one table is added to the address of another table.
//@ export: Run run
	.type run,@function
run:
	mov eax, [rdi]
	and eax, 1
	lea rdx, [rip+.Lone]
	lea r8, [rip+.Ltwo]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, r8
	jmp rcx
.La:
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Lone:
	.long .La-.Lone
	.long .La-.Lone
.Ltwo:
	.long .La-.Ltwo
	.long .La-.Ltwo
