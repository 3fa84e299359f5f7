# A function without a return at its end.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov [rsi], rax
