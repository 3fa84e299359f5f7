# No return at the end.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov [rsi], rax
