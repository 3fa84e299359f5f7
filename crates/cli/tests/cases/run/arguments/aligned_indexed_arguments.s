# Stack arguments are accessed only by an index, from an address inside the frame, in functions that align their frames: gcc and clang compile
# s.a[i - 9] to this.
//@ export: Run run
//@ export: Later later
	.macro calls to
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	sub rsp, 64
	mov [rsp], rax
	not rax
	mov [rsp+8], rax
	imul rax, rax, 77
	mov [rsp+16], rax
	mov edi, [rdi]
	and edi, 1
	add edi, 9
	call \to
	add rsp, 64
	mov [rbx], rax
	pop rbx
	ret
	.endm
	.type run,@function
run:
	calls indexed
	.type later,@function
later:
	calls moved

	.section .text.indexed,"ax",@progbits
	.type indexed,@function
indexed:
	push rbp
	mov rbp, rsp
	and rsp, -32
	sub rsp, 64
	mov [rsp], rdi
	mov rax, [rbp+rdi*8-56]
	add rax, [rsp]
	leave
	ret

	.section .text.moved,"ax",@progbits
	.type moved,@function
moved:
	push rbp
	mov rbp, rsp
	and rsp, -32
	sub rsp, 64
	mov [rsp], rdi
	lea rdx, [rbp-56]
	mov rax, [rdx+rdi*8]
	add rax, [rsp]
	leave
	ret
