# Flags that are set before SP moves and read after it; and a static read between the two.
# export Run run
	.type run,@function
run:
	push rbx
	mov rbx, [rdi]
	cmp rbx, 50
	lea rsp, [rsp-32]
	mov rax, [rip+value]
	mov [rsp], rbx
	jb 2f
	add rax, [rsp]
2:	test bl, 8
	lea rsp, [rsp+32]
	pop rbx
	setne cl
	movzx ecx, cl
	add rax, rcx
	mov [rsi], rax
	ret

	.section .data.value,"aw",@progbits
	.p2align 3
value:
	.quad 4711
