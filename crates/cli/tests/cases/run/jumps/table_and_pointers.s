# A function with a jump table also jumps to functions: through pointers from memory, from an argument, from a call, or from one of two places.
//@ export: Run run
	.globl run
run:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 3
	lea r8, [rip+add]
	lea r9, [rip+pointers]
	shr rax, 2
	jmp switch
	.globl switch
switch:
	lea rdx, [rip+.Ltable]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lmemory:
	jmp [r9+8]
.Largument:
	jmp r8
.Lcall:
	push rax
	call choose
	mov rcx, rax
	pop rax
	jmp rcx
.Leither:
	mov rcx, [r9]
	test al, 1
	cmovne rcx, r8
	jmp rcx
	.globl choose
choose:
	mov rax, [r9]
	ret
	.globl add
add:
	add rax, 1000
	mov [rsi], rax
	ret
	.globl double
double:
	add rax, rax
	mov [rsi], rax
	ret
	.section .data.rel.ro.pointers,"aw",@progbits
	.p2align 3
pointers:
	.quad add
	.quad double
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lmemory-.Ltable
	.long .Largument-.Ltable
	.long .Lcall-.Ltable
	.long .Leither-.Ltable
