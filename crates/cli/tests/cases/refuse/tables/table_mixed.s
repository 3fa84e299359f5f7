# Code makes an address in the middle of a table. The entries from this address on do not all lead into one function.
//@ export: Run run
	.type run,@function
run:
	mov ecx, [rdi]
	and ecx, 3
	lea rdx, [rip+.Ltable]
	lea rax, [rip+.Ltable+8]
	mov [rsi], rax
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
	.rept 16
	nop
	.endr
.La:
	ret
	.type other,@function
other:
	.rept 16
	nop
	.endr
.Lb:
	ret
	.type third,@function
third:
	.rept 32
	nop
	.endr
.Lc:
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .La-.Ltable
	.long .La-.Ltable
	.long .Lb-.Ltable
	.long .Lc-.Ltable
