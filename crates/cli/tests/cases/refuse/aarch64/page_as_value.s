// Half of an address, used as a number.
// export Run run
	.type run,@function
run:
	adrp x8, value
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
value:
	.xword 5
