# A frame that is aligned to 256 bytes.
//@ export: Run run
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	and rsp, -256
	sub rsp, 256
	mov [rsp], rdi
	mov rsp, rbp
	pop rbp
	ret
