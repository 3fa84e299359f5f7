# A callee keeps a register on the path that is analysed first and changes it on another: through a function that calls the callee again.
//@ goldens: analyze
//@ export: Run run 16384
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	and eax, 7
	lea r8, [rip + first]
	call either
	call r8
	mov [rbx], rax
	pop rbx
	ret
	.section .text.either,"ax",@progbits
	.globl either
	.type either,@function
either:
	test eax, eax
	jne 1f
	ret
1:	call other
	ret
	.section .text.other,"ax",@progbits
	.globl other
	.type other,@function
other:
	lea r8, [rip + second]
	dec eax
	call either
	ret
	.section .text.first,"ax",@progbits
	.globl first
	.type first,@function
first:
	add rax, 5
	ret
	.section .text.second,"ax",@progbits
	.globl second
	.type second,@function
second:
	push rbp
	push rbp
	neg rax
	pop rbp
	pop rbp
	ret
