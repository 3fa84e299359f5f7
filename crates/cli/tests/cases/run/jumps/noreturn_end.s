# A call that never returns ends a block; the code after it runs at another stack depth. Also clang's sanitizer trap, which has an operand.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	cmp rax, -2
	je 2f
	cmp rax, -3
	je 4f
	sub rsp, 16
	cmp rax, -1
	je 3f
	add rsp, 16
	inc rax
	mov [rbx], rax
	pop rbx
	ret
2:	call fails
3:	mov rdi, rax
	call fails
4:	ud1 eax, dword ptr [eax+12]
	.p2align 4
	.type fails,@function
fails:
	push rax
	call rustgo_panic@PLT
	ud2
