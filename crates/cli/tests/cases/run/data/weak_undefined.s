# Weak references to undefined symbols are null: read from the GOT, compared there, in data, in thread-local data, and in a relative
# table's cell. A call of such a symbol faults like a call through a null pointer.
//@ goldens: analyze lower
//@ export: Compared compared
//@ export: Read read
//@ export: Words words
//@ export: Thread thread
//@ export: Relative relative
//@ export: CallFaults call
//@ export: CellFaults cell
//@ export: JumpFaults jump
//@ export: JumpByCellFaults jump_by_cell
//@ export: BranchFaults branch
//@ export: PointerFaults pointer
	.weak hook
	.weak variable

	.type compared,@function
compared:
	cmp qword ptr [rip+hook@GOTPCREL], 0
	sete al
	movzx eax, al
	mov rcx, qword ptr [rip+variable@GOTPCREL]
	cmp rcx, qword ptr [rip+hook@GOTPCREL]
	sete cl
	movzx ecx, cl
	lea rax, [rax+rcx*2]
	add rax, [rdi]
	mov [rsi], rax
	ret

	.type read,@function
read:
	mov rax, [rip+variable@GOTPCREL]
	test rax, rax
	je 1f
	mov rax, [rax]
1:	add rax, [rdi]
	mov [rsi], rax
	ret

	.type words,@function
words:
	mov rcx, [rdi]
	and ecx, 3
	lea rax, [rip+table]
	mov rax, [rax+rcx*8]
	mov [rsi], rax
	ret

	.type thread,@function
thread:
	push rbx
	push r14
	push r15
	mov rbx, [rdi]
	mov r14, rsi
	.byte 0x66
	lea rdi, [rip+kept@TLSGD]
	.byte 0x66, 0x66, 0x48
	call __tls_get_addr@PLT
	and ebx, 1
	mov rax, [rax+rbx*8]
	mov [r14], rax
	pop r15
	pop r14
	pop rbx
	ret

	.type relative,@function
relative:
	lea rax, [rip+cells]
	movsxd rcx, dword ptr [rax]
	mov rax, [rax+rcx]
	add rax, [rdi]
	mov [rsi], rax
	ret

	.type call,@function
call:
	sub rsp, 8
	mov rax, [rdi]
	cmp rax, -1
	jne 1f
	call hook@PLT
1:	mov [rsi], rax
	add rsp, 8
	ret

	.type cell,@function
cell:
	sub rsp, 8
	mov rax, [rdi]
	cmp rax, -1
	jne 1f
	call [rip+hook@GOTPCREL]
1:	mov [rsi], rax
	add rsp, 8
	ret

	.type jump,@function
jump:
	mov rax, [rdi]
	mov [rsi], rax
	cmp rax, -1
	jne 1f
	jmp hook@PLT
1:	ret

	.type jump_by_cell,@function
jump_by_cell:
	mov rax, [rdi]
	mov [rsi], rax
	cmp rax, -1
	jne 1f
	jmp [rip+hook@GOTPCREL]
1:	ret

	.type branch,@function
branch:
	mov rax, [rdi]
	mov [rsi], rax
	cmp rax, -1
	je hook@PLT
	ret

	.type pointer,@function
pointer:
	sub rsp, 8
	mov rax, [rdi]
	mov rcx, [rip+hook@GOTPCREL]
	cmp rax, -1
	jne 1f
	call rcx
1:	mov [rsi], rax
	add rsp, 8
	ret

	.section .data.rel.ro.table,"aw",@progbits
	.p2align 3
table:
	.quad hook
	.quad hook+7
	.quad variable
	.quad 9

	.section .tdata.kept,"awT",@progbits
	.p2align 3
kept:
	.quad hook
	.quad 41

	.section .rodata.cells,"a",@progbits
	.p2align 2
cells:
	.long hook@GOTPCREL
