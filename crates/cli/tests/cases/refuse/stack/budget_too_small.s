# One level of the recursion needs more than the stated budget.
//@ export: Run run 1024
	.type run,@function
run:
	push rax
	call deep
	pop rax
	ret
	.type deep,@function
deep:
	sub rsp, 2000
	mov [rsp], rdi
	test rdi, rdi
	je 2f
	call deep
2:	add rsp, 2000
	ret
