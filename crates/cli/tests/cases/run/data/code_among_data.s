# A variable in a code section contains the label of a function. The function is called.
//@ export: Run calls
	.type calls,@function
calls:
	call inner
	mov [rsi], rax
	ret
	.section .text.mixed,"ax",@progbits
	.type mixed,@object
mixed:
	.quad 1
	.globl inner
	.type inner,@function
inner:
	mov eax, 7
	ret
	.zero 2
	.size mixed, 16
