# A leaf function uses the red zone, whose 128 bytes count as stack. Another function makes an address in the red zone by arithmetic.
//@ goldens: analyze lower
//@ export: Run run
//@ export: Sums sums
	.type run,@function
run:
	push rsi
	mov rax, [rdi]
	call leaf
	pop rsi
	mov [rsi], rax
	ret
	.type leaf,@function
leaf:
	mov [rsp-8], rax
	mov [rsp-120], rax
	add rax, [rsp-8]
	add rax, [rsp-120]
	ret
	.section .text.sums,"ax",@progbits
	.type sums,@function
sums:
	mov rax, [rdi]
	lea rcx, [rsp-64]
	mov edx, eax
	and edx, 7
	shl rdx, 3
	add rcx, rdx
	mov [rcx], rax
	add rax, [rip+value]
	add rax, [rcx]
	mov [rsi], rax
	ret
	.section .data.value,"aw",@progbits
	.p2align 3
value:
	.quad 4711
