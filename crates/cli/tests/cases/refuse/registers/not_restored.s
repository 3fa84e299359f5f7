# A callee that leaves the frame pointer changed, in a function that finds its frame by it.
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
