# `mov` saves rbp, in bytes that `go vet` does not read. Then rbp receives the address of a static, in text that `go vet` reads.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	sub rsp, 8
	mov [rsp], rbp
	mov rax, [rdi]
	and eax, 3
	lea rbp, [rip+state]
	mov rax, [rbp+rax*8]
	mov [rsi], rax
	mov rbp, [rsp]
	add rsp, 8
	ret

	.section .data.state,"aw",@progbits
	.p2align 3
state:
	.quad 11, 222, 3333, 44444
