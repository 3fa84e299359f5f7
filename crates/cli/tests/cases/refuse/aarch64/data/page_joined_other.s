// x8 holds the upper part of one of two addresses, depending on the path. No single lower part completes both.
//@ export: Run run
	.type run,@function
run:
	ldr x9, [x0]
	adrp x8, value
	cbz x9, 2f
	adrp x8, other
2:	ldr x8, [x8, :lo12:value]
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
	.section .rodata.other,"a",@progbits
other:
	.xword 7
