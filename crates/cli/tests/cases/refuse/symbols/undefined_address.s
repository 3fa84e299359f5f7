# The error for the address of a C library function has the reason and hint of a call. A symbol that linkers make from a section has its own hint.
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
