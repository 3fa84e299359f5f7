// The section is aligned to a page, so the upper part of the address is the whole address. But Go does not align the section to a page.
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
