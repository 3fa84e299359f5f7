# The address of a jump table is passed by calls and by a jump to a function that loads through it, and is returned to a caller that loads through it.
//@ export: A_Called called
//@ export: B_Jumped jumped
//@ export: C_Returned returned
//@ export: D_Pointer pointer
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
	.globl reads
	.type reads,@function
reads:
	mov rax, [r10+8]
	mov [rsi], rax
	ret
	.type called,@function
called:
	dispatch
	call reads
	ret
	.type jumped,@function
jumped:
	dispatch
	jmp reads
	.type gives,@function
gives:
	lea r10, [rip+.Lgiven]
	mov eax, [rdi]
	test eax, eax
	je .Lout
	and eax, 1
	movsxd rcx, dword ptr [r10+rax*4]
	add rcx, r10
	jmp rcx
.Lout:
	ret
	.pushsection .rodata.given,"a",@progbits
	.p2align 2
.Lgiven:
	.long .Lout-.Lgiven
	.long .Lout-.Lgiven
	.popsection
	.type returned,@function
returned:
	call gives
	mov rax, [r10+8]
	mov [rsi], rax
	ret
	.type pointer,@function
pointer:
	push rdi
	lea r10, [rip+.Ltable]
	mov rax, [rdi+8]
	call [rax]
	pop rdi
	mov eax, [rdi]
	and eax, 1
	lea r10, [rip+.Ltable]
	movsxd rcx, dword ptr [r10+rax*4]
	add rcx, r10
	jmp rcx
.Lone:
	lea rax, [rip+reads]
	mov [rsi], rax
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lone-.Ltable
	.long .Lone-.Ltable
