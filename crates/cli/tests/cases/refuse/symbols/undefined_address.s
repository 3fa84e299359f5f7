# A function of the C library by its address: the same reason as a call, with the same hint. What a linker makes of sections has its own.
//@ export: Run run
//@ export: Section section
	.type run,@function
run:
	cmp byte ptr [rdi], 1
	jb other
	mov rax, [rip+free@GOTPCREL]
	mov [rsi], rax
	ret
	.type other,@function
other:
	jmp free@PLT
	.type section,@function
section:
	mov rax, [rip+__start_registry@GOTPCREL]
	mov [rsi], rax
	ret
