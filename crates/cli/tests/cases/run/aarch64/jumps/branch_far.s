// A conditional branch that no longer reaches its target, because lowering makes addresses with more instructions than the compiler.
//@ export: Run run
	.type run,%function
run:
	ldr x2, [x0]
	tbz x2, #0, 2f
	.rept 20
	adrp x3, value
	ldr x4, [x3, :lo12:value]
	add x2, x2, x4
	.endr
	.rept 8120
	nop
	.endr
2:	add x2, x2, #3
	str x2, [x1]
	ret
	.section .rodata.value,"a",%progbits
	.p2align 3
value:
	.xword 5
