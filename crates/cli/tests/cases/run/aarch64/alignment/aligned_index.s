// An index counts from an address outside the aligned frame, once below and once above the frame. LLVM makes such addresses for loops whose index
// does not begin at 0. All accesses lie in the frame.
//@ export: A_Below below
//@ export: B_Above above
	.ident "clang version 19.1.0"
	.globl below
below:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #128
	and sp, x9, #0xffffffffffffffc0
	ldr x2, [x0]
	sub x8, sp, #32
	mov x10, #32
1:	str x2, [x8, x10]
	ror x2, x2, #7
	add x2, x2, #3
	add x10, x10, #8
	cmp x10, #160
	b.ne 1b
	mov x0, #0
	mov x10, #0
2:	ldr x2, [sp, x10]
	eor x0, x2, x0, ror #9
	add x10, x10, #8
	cmp x10, #128
	b.ne 2b
	str x0, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl above
above:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #128
	and sp, x9, #0xffffffffffffffc0
	ldr x2, [x0]
	add x8, sp, #192
	mov x10, #-192
1:	str x2, [x8, x10]
	ror x2, x2, #5
	add x2, x2, #7
	add x10, x10, #8
	cmn x10, #64
	b.ne 1b
	mov x0, #0
	mov x10, #0
2:	ldr x2, [sp, x10]
	eor x0, x2, x0, ror #9
	add x10, x10, #8
	cmp x10, #128
	b.ne 2b
	str x0, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
