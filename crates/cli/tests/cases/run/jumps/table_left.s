# A function with a jump table returns the table's address in a register. The caller reads the register where its variable has no value yet:
# the value is copied, kept in the frame, and discarded. The function `parts` does the same with a part of such an address.
//@ export: Run run
//@ export: Parts parts
	.type run,@function
run:
	push rbx
	push r14
	sub rsp, 24
	mov rbx, rsi
	mov r14, [rdi]
	test r14, 4
	jne .Lset
	call gives
	jmp .Lmet
.Lset:
	mov r10, r14
	not r10
	mov rax, r14
.Lmet:
	mov [rsp+8], r10
	add rax, 3
	mov rcx, [rsp+8]
	test r14, 4
	cmovne rax, rcx
	mov [rbx], rax
	add rsp, 24
	pop r14
	pop rbx
	ret
	.type parts,@function
parts:
	push rbx
	mov rdx, [rdi]
	mov eax, edx
	and eax, 1
	lea rbx, [rip+.Lparts]
	movsxd rcx, dword ptr [rbx+rax*4]
	add rcx, rbx
	jmp rcx
.Lvalue:
	mov rbx, rdx
.Lnone:
	movzx ecx, bl
	mov [rsp-8], rbx
	mov r8d, [rsp-8]
	mov eax, 5
	test dl, 1
	cmove eax, ebx
	mov r9d, 0
	cmovne ecx, r9d
	cmovne r8d, r9d
	add rax, rcx
	add rax, r8
	mov [rsi], rax
	pop rbx
	ret
	.section .rodata.parts,"a",@progbits
	.p2align 2
.Lparts:
	.long .Lvalue-.Lparts
	.long .Lnone-.Lparts

	.section .text.gives,"ax",@progbits
	.type gives,@function
gives:
	mov eax, [rdi]
	and eax, 1
	lea r10, [rip+.Ltable]
	movsxd rcx, dword ptr [r10+rax*4]
	add rcx, r10
	jmp rcx
.Lone:
	mov eax, 70
	ret
.Lother:
	mov eax, 7
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lone-.Ltable
	.long .Lother-.Ltable
