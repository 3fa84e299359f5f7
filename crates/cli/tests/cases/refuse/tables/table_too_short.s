# A table has fewer entries than the comparison before the jump lets through.
//@ export: Run run
	.type run,@function
run:
	mov ecx, [rdi]
	cmp ecx, 4
	ja .La
	mov eax, ecx
	lea rdx, [rip+.Ltable]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, rdx
	jmp rcx
.La:
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .La-.Ltable
	.long .La-.Ltable
	.long .La-.Ltable
