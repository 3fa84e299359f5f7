# A jump to a function that never returns, with the frame still in place: Go would look for the return address inside the frame.
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
