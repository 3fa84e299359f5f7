# The address of a variable that nothing defines.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rip + nowhere@GOTPCREL]
	mov eax, [rax]
	mov [rsi], rax
	ret
