# Stack probes as LLVM writes them: unrolled for a few pages, a loop for more.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	sub rsp, 4096
	mov qword ptr [rsp], 0
	sub rsp, 4096
	mov qword ptr [rsp], 0
	sub rsp, 808
	mov rax, [rdi]
	mov [rsp+8], rax
	mov [rsp+8000], rax
	call loop_probe
	add rax, [rsp+8]
	add rax, [rsp+8000]
	mov [rsi], rax
	add rsp, 9000
	ret
	.type loop_probe,@function
loop_probe:
	lea r11, [rsp-20480]
4:	sub rsp, 4096
	mov qword ptr [rsp], 0
	cmp rsp, r11
	jne 4b
	sub rsp, 24
	mov [rsp], rax
	mov [rsp+20000], rax
	mov rax, [rsp+20000]
	sub rax, 9
	add rax, [rsp]
	add rsp, 20504
	ret
