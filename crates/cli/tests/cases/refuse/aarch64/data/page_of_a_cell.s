// The page of a GOT cell is completed with the lower part of the symbol's own address.
//@ export: Run run
	.type run,@function
run:
	adrp x8, :got:value
	ldr x8, [x8, :lo12:value]
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
	.globl value
	.p2align 3
value:
	.xword 5
