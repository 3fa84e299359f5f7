# Read-only data that is aligned to a page.
//@ export: Run run
	.type run,@function
run:
	lea rax, [rip+page]
	mov rax, [rax]
	mov [rsi], rax
	ret
	.section .rodata.page,"a",@progbits
	.p2align 12
page:
	.quad 7
	.zero 4088
