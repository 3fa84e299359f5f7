# A frame that is aligned to 128 bytes.
//@ export: Run run
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	and rsp, -128
	sub rsp, 128
	mov [rsp], rdi
	mov rsp, rbp
	pop rbp
	ret
