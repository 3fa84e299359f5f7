# A table of addresses that is aligned to 64 bytes.
//@ export: Run run
	.type run,@function
run:
	lea rax, [rip+table]
	mov rax, [rax]
	mov [rsi], rax
	ret
	.section .rodata.seven,"a",@progbits
	.p2align 3
seven:
	.quad 7
	.section .data.rel.ro.table,"aw",@progbits
	.p2align 6
table:
	.quad seven
	.zero 56
