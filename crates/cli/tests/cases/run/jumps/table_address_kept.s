# Allowed uses of a jump table's address: copies, words of the frame, over calls, in a loop. After the jump, remains of the address may stay in
# a register whose low byte is replaced, and in registers at calls and returns if the callee or the caller does not read them.
//@ export: A_Loop loop
//@ export: B_Left left
	.type loop,@function
loop:
	push rbx
	push r12
	push r13
	sub rsp, 16
	mov rbx, [rdi]
	xor r13d, r13d
	lea r12, [rip+.Ltable]
	mov [rsp+8], r12
	xor r12d, r12d
.Lagain:
	mov eax, ebx
	and eax, 3
	mov r8, [rsp+8]
	mov r9, r8
	push r9
	mov r9d, 7
	pop r10
	xchg r10, r9
	movsxd rcx, dword ptr [r9+rax*4]
	add rcx, r9
	jmp rcx
.Ladd:
	add r13, 1000
	jmp .Lnext
.Lcall:
	call counts
	add r13, rax
	jmp .Lnext
.Lbyte:
	mov cl, 5
	movzx eax, cl
	lea r13, [r13+r13*2]
	add r13, rax
	jmp .Lnext
.Lflip:
	not r13
.Lnext:
	shr rbx, 2
	jnz .Lagain
	mov [rsi], r13
	add rsp, 16
	pop r13
	pop r12
	pop rbx
	ret
	.type counts,@function
counts:
	push r12
	mov r12d, 12
	lea rax, [r12+rbx]
	pop r12
	ret
	.type left,@function
left:
	push rsi
	mov rdi, [rdi]
	call chosen
	pop rsi
	movzx eax, al
	mov [rsi], rax
	ret
	.type chosen,@function
chosen:
	mov eax, edi
	and eax, 1
	lea rcx, [rip+.Ltwo]
	movsxd rax, dword ptr [rcx+rax*4]
	add rax, rcx
	jmp rax
.Lzero:
	mov al, 3
	ret
.Lone:
	mov al, 9
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Ladd-.Ltable
	.long .Lcall-.Ltable
	.long .Lbyte-.Ltable
	.long .Lflip-.Ltable
	.section .rodata.two,"a",@progbits
	.p2align 2
.Ltwo:
	.long .Lzero-.Ltwo
	.long .Lone-.Ltwo
