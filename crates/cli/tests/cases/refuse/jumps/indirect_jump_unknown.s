# A jump to an address that is computed.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rax, [rdi]
	add rax, rax
	jmp rax
