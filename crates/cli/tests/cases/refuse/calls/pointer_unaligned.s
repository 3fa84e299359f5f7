# A pointer at an unaligned offset in packed data.
//@ export: Run run
	.type run,@function
run:
	lea rax, [rip+packed]
	mov rax, [rax+4]
	mov [rsi], rax
	ret
	.section .data.rel.ro.packed,"aw",@progbits
packed:
	.long 1
	.quad other
	.section .rodata.other,"a",@progbits
other:
	.quad 1
