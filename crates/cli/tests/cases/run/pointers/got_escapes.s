# A static's address is read from its GOT cell by other instructions than `mov` and `lea`: a push, an addition, a vector load. Each static
# holds a pointer to a small function, until a pointer to a function with a large frame is stored through that address. The calls
# through the statics need the larger stack.
//@ export: Run run
//@ goldens: analyze
	.type run,@function
run:
	push rbx
	push rsi
	mov rbx, [rdi]
	lea rcx, [rip+large]
	test bl, 1
	lea rdx, [rip+small]
	cmove rcx, rdx

	push qword ptr [rip+pushed@GOTPCREL]
	mov rdx, [rsp]
	mov [rdx], rcx
	pop rdx

	xor edx, edx
	add rdx, [rip+added@GOTPCREL]
	mov [rdx], rcx

	movq xmm0, qword ptr [rip+loaded@GOTPCREL]
	movq rdx, xmm0
	mov [rdx], rcx

	mov rdi, rbx
	call [rip+pushed]
	mov rdi, rax
	call [rip+added]
	mov rdi, rax
	call [rip+loaded]
	pop rsi
	mov [rsi], rax
	pop rbx
	ret

	.section .text.small,"ax",@progbits
	.type small,@function
small:
	lea rax, [rdi*2 + 1]
	ret
	.section .text.large,"ax",@progbits
	.type large,@function
large:
	sub rsp, 20008
	mov [rsp], rdi
	mov rax, [rsp]
	imul rax, rax, 13
	add rsp, 20008
	ret

	.section .data.pushed,"aw",@progbits
	.globl pushed
	.p2align 3
pushed:
	.quad small
	.section .data.added,"aw",@progbits
	.globl added
	.p2align 3
added:
	.quad small
	.section .data.loaded,"aw",@progbits
	.globl loaded
	.p2align 3
loaded:
	.quad small
