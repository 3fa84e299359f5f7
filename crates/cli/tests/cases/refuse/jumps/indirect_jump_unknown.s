# A jump to a computed address.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rax, [rdi]
	add rax, rax
	jmp rax
