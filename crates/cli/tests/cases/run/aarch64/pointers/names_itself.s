// Functions make their own address, and a neighbour's in the same section, without a relocation: the assembler knows the distances.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x30, x19, [sp, #-32]!
	stp x20, x21, [sp, #16]
	mov x19, x1
	ldr x20, [x0]
	mov x21, #1
	adr x9, .Leven
2:	mov x0, x20
	lsr x20, x20, #1
	mov x1, x21
	blr x9
	mov x21, x0
	mov x9, x1
	cbnz x20, 2b
	str x21, [x19]
	ldp x20, x21, [sp, #16]
	ldp x30, x19, [sp], #32
	ret

// Each function returns the address of the function to call next.
	.type even,@function
even:
.Leven:
	tbnz w0, #0, 3f
	add x0, x1, x1, lsl #1
	adr x1, .Leven
	ret
3:	add x0, x1, x1, lsl #2
	adr x1, .Lodd
	ret
	.type odd,@function
odd:
.Lodd:
	adr x2, .Leven
	adr x3, .Lodd
	tst w0, #1
	ror x0, x1, #7
	csel x1, x2, x3, eq
	ret
