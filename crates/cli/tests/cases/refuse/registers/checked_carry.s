# A recursive function reads its caller's carry flag, which the stack check at its entry changes.
//@ export: Run run 16384
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	xor eax, eax
	call countdown
	mov [rbx], rax
	pop rbx
	ret
	.type countdown,@function
countdown:
	push rax
	adc rax, 3
	sub dil, 16
	jz 2f
	jc 2f
	cmp dil, 77
	call countdown
2:	pop rcx
	ret
