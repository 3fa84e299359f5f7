# The address of a jump table, or an entry, is used for more than the jump. Lowering copies the table, but not the data after it.
//@ export: A_Constant constant
//@ export: B_Kept kept
//@ export: C_Compared compared
//@ export: D_Entry entry
//@ export: E_Part part
	.macro dispatch
	mov eax, [rdi]
	and eax, 1
	lea r10, [rip+.Ltable\@]
	movsxd rcx, dword ptr [r10+rax*4]
	add rcx, r10
	jmp rcx
	.pushsection .rodata.table\@,"a",@progbits
	.p2align 2
.Ltable\@:
	.long .Lone\@-.Ltable\@
	.long .Lone\@-.Ltable\@
	.popsection
.Lone\@:
	.endm
	.type constant,@function
constant:
	dispatch
	add rax, [r10+8]
	mov [rsi], rax
	ret
	.type kept,@function
kept:
	dispatch
	mov [rsi], r10
	ret
	.type compared,@function
compared:
	dispatch
	push r10
	mov r11, r10
	xor r10d, r10d
	pop r10
	xchg r11, r9
	cmp r9, rsi
	ret
	.type entry,@function
entry:
	mov eax, [rdi]
	and eax, 1
	lea r10, [rip+.Lnumbers]
	movsxd rcx, dword ptr [r10+rax*4]
	mov r8, rcx
	add rcx, r10
	jmp rcx
.Lthere:
	mov [rsi], r8
	ret
	.section .rodata.numbers,"a",@progbits
	.p2align 2
.Lnumbers:
	.long .Lthere-.Lnumbers
	.long .Lthere-.Lnumbers
	.text
	.type part,@function
part:
	dispatch
	push r10
	mov byte ptr [rsp], 0
	mov eax, [rsp]
	mov [rsi], rax
	pop r10
	ret
