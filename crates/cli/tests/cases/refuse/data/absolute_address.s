# Code that is not position-independent.
//@ export: Run run
	.type run,@function
run:
	movabs rax, offset value
	mov eax, [value]
	mov [rsi], rax
	ret
	.section .data.value,"aw",@progbits
	.p2align 3
value:
	.quad 1
