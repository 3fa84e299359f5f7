# A function that calls itself, without a stated budget.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	call countdown
	mov [rbx], rax
	pop rbx
	ret
	.type countdown,@function
countdown:
	push rax
	dec rax
	je 2f
	call countdown
2:	pop rax
	ret
