# Functions that are called only through data: through data that points to other data, through a table that is written at an index, and through
# a static that is written through a pointer. The bound of each call counts every function whose address may be there.
//@ goldens: analyze
//@ export: Chain chain
//@ export: Table table_call
//@ export: Pointed pointed
	.section .text.chain,"ax",@progbits
	.type chain,@function
chain:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	lea rdi, [rip + outer]
	call through
	mov [rbx], rax
	pop rbx
	ret
	.type through,@function
	.globl through
through:
	mov rcx, [rdi]
	jmp [rcx]

	.section .text.table,"ax",@progbits
	.type table_call,@function
table_call:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip + written]
	lea r8, [rip + triple]
	mov [rdx + 8*rcx], r8
	call [rdx + 8*rcx]
	mov [rbx], rax
	lea r8, [rip + add_five]
	mov ecx, 1
	mov [rdx + 8*rcx], r8
	pop rbx
	ret

	.section .text.pointed,"ax",@progbits
	.type pointed,@function
pointed:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	lea rdi, [rip + hook]
	lea rsi, [rip + negate]
	call put
	call [rip + hook]
	mov [rbx], rax
	pop rbx
	ret
	.globl put
	.type put,@function
put:
	mov [rdi], rsi
	ret

	.section .text.targets,"ax",@progbits
	.globl add_five
	.type add_five,@function
add_five:
	add rax, 5
	ret
	.globl triple
	.type triple,@function
triple:
	push rbp
	mov rbp, rsp
	lea rax, [rax + 2*rax]
	pop rbp
	ret
	.globl negate
	.type negate,@function
negate:
	push rbp
	push rbp
	neg rax
	pop rbp
	pop rbp
	ret
	.globl invert
	.type invert,@function
invert:
	push rbp
	push rbp
	push rbp
	not rax
	pop rbp
	pop rbp
	pop rbp
	ret

	.section .data.outer,"aw",@progbits
	.p2align 3
outer:
	.quad inner
	.section .data.rel.ro.inner,"aw",@progbits
	.p2align 3
inner:
	.quad invert
	.section .data.written,"aw",@progbits
	.p2align 3
written:
	.quad add_five
	.quad add_five
	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.quad add_five
