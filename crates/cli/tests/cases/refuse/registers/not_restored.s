# A callee changes rbp and does not restore it; its caller restores SP from rbp.
//@ export: Run run
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	sub rsp, 32
	call spoils
	mov rsp, rbp
	pop rbp
	ret
	.type spoils,@function
spoils:
	xor ebp, ebp
	ret
