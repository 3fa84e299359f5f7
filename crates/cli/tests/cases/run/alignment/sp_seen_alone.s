# Each export has a single reason to align SP at its entry: an address that only a callee looks at, an operand that must be aligned, an address
# left in rbp, an address that is base and index. In the last export, a function that ends in a trap sees SP and reads a stack argument. So no
# entry between the caller and this function may align SP.
//@ goldens: analyze
//@ export: Address by_address
//@ export: Operand by_operand
//@ export: Left left
//@ export: Both both
//@ export: Ends ends
	.type by_address,@function
by_address:
	sub rsp, 24
	mov rax, [rdi]
	lea rdi, [rsp]
	call looks
	add rax, rcx
	mov [rsi], rax
	add rsp, 24
	ret
	.section .text.looks,"ax",@progbits
	.globl looks
	.type looks,@function
looks:
	mov ecx, edi
	and ecx, 15
	ret
	.section .text.left,"ax",@progbits
	.type left,@function
left:
	push rbp
	mov rax, [rdi]
	call leaves
	mov rcx, rbp
	and ecx, 15
	add rax, rcx
	mov [rsi], rax
	pop rbp
	ret
	.section .text.leaves,"ax",@progbits
	.globl leaves
	.type leaves,@function
leaves:
	lea rbp, [rsp-8]
	ret
	.section .text.both,"ax",@progbits
	.type both,@function
both:
	push rbp
	mov rbp, rsp
	mov rax, [rdi]
	cmp rax, -3
	jne 1f
	mov rax, [rsp+rbp]
1:	mov [rsi], rax
	pop rbp
	ret
	.section .text.operand,"ax",@progbits
	.type by_operand,@function
by_operand:
	mov rax, [rdi]
	movq xmm0, rax
	movaps [rsp-24], xmm0
	add rax, [rsp-24]
	mov [rsi], rax
	ret
	.section .text.ends,"ax",@progbits
	.type ends,@function
ends:
	mov rax, [rdi]
	cmp rax, -3
	je 1f
	mov [rsi], rax
	ret
1:	push rax
	push rsi
	push rax
	call take
	ud2
	.section .text.take,"ax",@progbits
	.globl take
	.type take,@function
take:
	lea rcx, [rsp]
	and ecx, 15
	add rcx, [rsp+8]
	mov [rsi], rcx
	ud2
