# A jump table whose first entry is not a place in the function.
//@ export: Run run
	.type run,@function
run:
	mov ecx, [rdi]
	lea rdx, [rip+.Ltable]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long 5
	.long 6
