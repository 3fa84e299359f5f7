# A jump out of an open frame, to a function that never returns: its caller would be looked for in the frame.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	push rbx
	test rax, rax
	jne fails
	pop rbx
	mov [rsi], rax
	ret
	.type fails,@function
fails:
	ud2
