# A jump target from a table is kept in the frame during a call that receives an address of the frame. No compiler is known to emit such code,
# so the analysis assumes that the callee may change the word.
//@ export: Run run
	.globl run
	.type run,@function
run:
	push rbx
	push rsi
	sub rsp, 24
	mov rax, [rdi]
	and eax, 1
	lea rcx, [rip+.Ltable]
	movsxd rax, dword ptr [rcx+rax*4]
	add rax, rcx
	mov [rsp+8], rax
	lea rdi, [rsp+16]
	call changes
	jmp qword ptr [rsp+8]
.Lzero:
	mov ebx, 3
	jmp .Lend
.Lone:
	mov ebx, 9
.Lend:
	add rsp, 24
	pop rsi
	mov [rsi], rbx
	pop rbx
	ret
	.type changes,@function
changes:
	mov qword ptr [rdi], 1
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lzero-.Ltable
	.long .Lone-.Ltable
