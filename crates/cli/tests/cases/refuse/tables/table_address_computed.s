# On one path the address of a jump table is computed from data before the table. Lowering copies the table, but the jump would not use the copy.
//@ export: Run computed
	.type computed,@function
computed:
	mov eax, [rdi]
	lea r10, [rip+.Lhalf]
	add r10, 4
	test eax, 2
	jnz .Lway
	lea r10, [rip+.Lfull]
.Lway:
	and eax, 1
	movsxd rcx, dword ptr [r10+rax*4]
	add rcx, r10
	jmp rcx
.Llast:
	ret
	.section .rodata.full,"a",@progbits
	.p2align 2
.Lhalf:
	.long 0
.Lfull:
	.long .Llast-.Lfull
	.long .Llast-.Lfull
