# A dynamically realigned argument pointer, as gcc makes it: r10 = SP on entry + 8, and the return address again below the aligned SP.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	lea r10, [rsp+8]
	and rsp, -32
	push qword ptr [r10-8]
	push rbp
	mov rbp, rsp
	push r10
	sub rsp, 104
	mov rax, [rdi]
	mov [rsp+64], rax
	mov rcx, rsp
	lea rax, [rax+rax*2]
	add rax, [rsp+64]
	mov [rsi], rax
	add rsp, 104
	pop r10
	pop rbp
	lea rsp, [r10-8]
	ret
