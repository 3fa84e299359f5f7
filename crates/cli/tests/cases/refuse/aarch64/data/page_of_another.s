// The upper part of an address is completed with the lower part of an address one page later, or of another symbol.
//@ export: Run run
//@ export: Symbol symbol
	.type run,@function
run:
	adrp x8, value
	ldr x8, [x8, :lo12:value+4096]
	str x8, [x1]
	ret

	.section .text.symbol,"ax",%progbits
	.type symbol,@function
symbol:
	adrp x8, value
	ldr x8, [x8, :lo12:beside]
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
	.p2align 3
value:
	.zero 8192
	.section .rodata.beside,"a",@progbits
	.p2align 3
beside:
	.zero 8
