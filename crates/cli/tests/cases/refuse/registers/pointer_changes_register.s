# A function that is called through an unknown pointer changes rbx, which the caller then calls. If the tool assumed that rbx is preserved,
# it would take the target for the function whose address the caller put into rbx.
//@ export: Run run
	.type run,@function
run:
	push rbx
	push rsi
	sub rsp, 8
	lea rax, [rip+table]
	lea rcx, [rip+changes]
	mov [rax], rcx
	mov rcx, [rdi]
	and ecx, 0
	lea rbx, [rip+small]
	call [rax+rcx*8]
	call rbx
	add rsp, 8
	pop rsi
	mov [rsi], rax
	pop rbx
	ret
	.type changes,@function
changes:
	lea rbx, [rip+large]
	ret
	.type small,@function
small:
	mov eax, 1
	ret
	.type large,@function
large:
	sub rsp, 60000
	mov qword ptr [rsp], 7
	mov rax, [rsp]
	add rsp, 60000
	ret
	.data
	.p2align 3
table:
	.quad 0, 0
