# Code that can see how SP is aligned, and code that cannot: each function does one thing, and the listing marks functions that see SP.
//@ goldens: analyze
//@ export: Hidden hidden
//@ export: Seen seen
	.type hidden,@function
hidden:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	call plain
	mov rdi, rax
	call framed
	mov rdi, rax
	call general
	mov rdi, rax
	call indexed
	mov rdi, rax
	call zeroed
	mov [rbx], rax
	pop rbx
	ret
	.type seen,@function
seen:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	call by_lea
	mov rdi, rax
	call by_mov
	mov rdi, rax
	call by_frame_pointer
	mov rdi, rax
	call by_lower_half
	mov rdi, rax
	call by_push
	mov rdi, rax
	call by_store
	mov rdi, rax
	call by_test
	mov rdi, rax
	call by_compare
	mov rdi, rax
	call by_sum
	mov rdi, rax
	call by_vector
	mov rdi, rax
	call by_join
	mov rdi, rax
	call by_mask
	mov rdi, rax
	call by_caller
	mov rdi, rax
	call by_saved_word
	mov rdi, rax
	call by_move_of_flags
	mov [rbx], rax
	pop rbx
	ret

	.macro function name
	.section .text.\name,"ax",@progbits
	.globl \name
	.type \name,@function
\name:
	.endm

	# These functions cannot see SP's alignment: SP and rbp are bases, are moved by constants, saved and restored.
	function plain
	sub rsp, 24
	mov [rsp+8], rdi
	add rsp, 8
	movups xmm0, [rsp]
	movups [rsp-16], xmm0
	mov rax, [rsp]
	lea rsp, [rsp+16]
	ret
	function framed
	push rbp
	mov rbp, rsp
	sub rsp, 32
	mov [rbp-8], rdi
	inc qword ptr [rsp+24]
	mov rax, [rbp-8]
	lea rsp, [rbp]
	pop rbp
	ret
	function general
	push rbp
	mov rbp, rdi
	test rbp, rbp
	lea rax, [rbp+rbp*2]
	pop rbp
	ret
	function indexed
	sub rsp, 64
	mov ecx, edi
	and ecx, 7
	mov qword ptr [rsp+rcx*8], rdi
	mov rax, [rsp+rcx*8]
	add rsp, 64
	ret
	function zeroed
	mov [rsp-8], rbp
	sub rsp, 8
	xor ebp, ebp
	cmp rdi, 9
	sbb rbp, rbp
	lea rax, [rdi+rbp]
	mov rbp, [rsp]
	add rsp, 8
	ret

	# These functions can see SP's alignment.
	function by_lea
	lea rax, [rsp-64]
	and eax, 15
	add rax, rdi
	ret
	function by_mov
	mov rax, rsp
	and eax, 15
	add rax, rdi
	ret
	function by_frame_pointer
	push rbp
	mov rbp, rsp
	mov rax, rbp
	and eax, 15
	add rax, rdi
	pop rbp
	ret
	function by_lower_half
	mov eax, esp
	and eax, 15
	add rax, rdi
	ret
	function by_push
	push rsp
	pop rax
	and eax, 15
	add rax, rdi
	ret
	function by_store
	sub rsp, 8
	mov [rsp], rsp
	mov eax, [rsp]
	add rsp, 8
	and eax, 15
	add rax, rdi
	ret
	function by_test
	xor eax, eax
	test spl, 15
	setne al
	add rax, rdi
	ret
	function by_compare
	mov rax, rdi
	cmp rsp, rdi
	jae 1f
	inc rax
1:	ret
	function by_sum
	mov rax, rdi
	add rax, rsp
	sub rax, rdi
	and eax, 15
	ret
	function by_vector
	movq xmm0, rsp
	movq rax, xmm0
	and eax, 15
	add rax, rdi
	ret
	function by_join
	push rbp
	mov rbp, rdi
	shl rbp, 4
	test dil, 1
	je 1f
	lea rbp, [rsp+8]
1:	mov rax, rbp
	and eax, 15
	add rax, rdi
	pop rbp
	ret
	function by_mask
	push rbp
	mov rbp, rsp
	and rsp, -16
	sub rsp, 16
	mov [rsp], rdi
	movaps xmm0, [rsp]
	movq rax, xmm0
	mov rsp, rbp
	pop rbp
	ret
	function by_caller
	push rbp
	mov rbp, rsp
	call reads_frame_pointer
	pop rbp
	ret
	function reads_frame_pointer
	mov rax, rbp
	and eax, 15
	add rax, rdi
	ret
	function by_saved_word
	push rbp
	mov eax, [rsp]
	pop rbp
	sub rax, rax
	add rax, rdi
	ret
	function by_move_of_flags
	sub rsp, 8
	lahf
	add rsp, 8
	movzx eax, ah
	and eax, 16
	add rax, rdi
	ret
