// Constants aligned to 16 and to 64 bytes are loaded into vector registers, and the address of one of them is made
// in two steps and in one.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	dup v0.2d, x8
	adrp x9, sixteen
	ldr q1, [x9, :lo12:sixteen]
	add v0.2d, v0.2d, v1.2d
	adrp x9, sixtyfour+16
	ldr q1, [x9, :lo12:sixtyfour+16]
	eor v0.16b, v0.16b, v1.16b
	addp d0, v0.2d
	fmov x8, d0
	adrp x9, sixtyfour
	add x9, x9, :lo12:sixtyfour
	and x10, x9, #63
	add x8, x8, x10
	ldr x10, [x9, #48]
	add x8, x8, x10
	adr x9, sixteen
	ldr x10, [x9, #8]
	add x8, x8, x10
	str x8, [x1]
	ret

	.section .rodata.sixteen,"a",@progbits
	.p2align 4
sixteen:
	.xword 5, 7
	.section .rodata.sixtyfour,"a",@progbits
	.p2align 6
sixtyfour:
	.xword 1, 2, 3, 4, 5, 6, 7, 8
