# A variable has a function's label within it: the section is one of code, and what the label begins is called.
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
