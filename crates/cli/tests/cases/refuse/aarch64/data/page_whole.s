// The upper part of an address is the whole address where the section is aligned to pages; Go does not align it so.
//@ export: Run run
	.type run,@function
run:
	adrp x8, value
	ldr x8, [x8]
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
	.p2align 12
value:
	.zero 8
