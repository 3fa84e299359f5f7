// Half of an address on one way, a number on another: lowering keeps only the number.
// export Run run
	.type run,@function
run:
	ldr x9, [x0]
	mov x8, #5
	cbz x9, 2f
	adrp x8, value
2:	add x8, x8, #1
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
