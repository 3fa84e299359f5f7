# Nothing is called and the frame is small, so the entry contains the body: once without pushes, once with pushes and a loop.
//@ goldens: analyze lower
//@ export: Plain plain
//@ export: Pushes pushes
	.type plain,@function
plain:
	mov rax, [rdi]
	imul rax, rax, 12345
	mov [rsi], rax
	ret
	.type pushes,@function
pushes:
	push rbx
	push r15
	mov rbx, [rdi]
	and ebx, 63
	mov r15d, 1
2:	test rbx, rbx
	je 3f
	lea r15, [r15+r15*2]
	dec rbx
	jmp 2b
3:	mov [rsi], r15
	pop r15
	pop rbx
	ret
