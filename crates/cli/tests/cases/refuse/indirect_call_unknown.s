# A call of whatever the caller's memory holds.
# export Run run
	.type run,@function
run:
	push rax
	mov rax, [rdi]
	call rax
	pop rax
	ret
