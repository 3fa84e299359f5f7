// Statics: an upper part of an address is completed by an addition and by loads and stores of every size, one part by several of them. Also atomics.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	adrp x9, value
	str x8, [x9, :lo12:value]
	ldr x10, [x9, :lo12:value]
	add x10, x10, #5
	add x11, x9, :lo12:value
	str x10, [x11]
	adrp x12, small
	add x12, x12, :lo12:small
	mov w13, #4660
	strh w13, [x12, #4]
	adrp x13, small+4
	ldrh w13, [x13, :lo12:small+4]
	adrp x14, small+5
	ldrb w14, [x14, :lo12:small+5]
	adrp x15, small
	ldrsw x15, [x15, :lo12:small]
2:	ldaxr x16, [x11]
	add x17, x16, x13
	stlxr w2, x17, [x11]
	cbnz w2, 2b
	ldr x0, [x9, :lo12:value]
	add x0, x0, x14
	add x0, x0, x15
	str xzr, [x9, :lo12:value]
	str x0, [x1]
	ret

	.section .bss.value,"aw",@nobits
	.p2align 3
value:
	.zero 8
	.section .data.small,"aw",@progbits
	.p2align 3
small:
	.word 7, 0
