# A function jumps, with its own stack arguments, to one that aligns its frame: lowering must put nothing between arguments and call.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	push rax
	push rax
	call front
	add rsp, 16
	sub rsp, 16
	push rax
	push rax
	call front
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.section .text.front,"ax",@progbits
	.type front,@function
front:
	test rax, rax
	jne wide
	ret
	.section .text.wide,"ax",@progbits
	.type wide,@function
wide:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	movaps xmmword ptr [rsp], xmm0
	mov rcx, [rbp + 16]
	imul rax, rax, 31
	add rax, rcx
	add rax, [rbp + 24]
	mov rsp, rbp
	pop rbp
	ret
