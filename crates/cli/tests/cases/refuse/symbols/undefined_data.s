# The address of an undefined variable.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rip + nowhere@GOTPCREL]
	mov eax, [rax]
	mov [rsi], rax
	ret
