// The upper part of an address, whose lowest bits are zero, is used as a number: stored outside the frame, or joined with another number
// from another path. Nothing else in these functions reads such a part.
//@ export: Stored stored
//@ export: Met met
	.type stored,@function
stored:
	ldr x2, [x0]
	mov x8, #5
	adrp x8, value
	str x8, [x1]
	ldr x9, [x1]
	and x9, x9, #0xfff
	add x0, x2, x9
	str x0, [x1]
	ret
	.section .text.met,"ax",%progbits
	.type met,@function
met:
	ldr x2, [x0]
	mov x10, #7
	tbz x2, #0, 1f
	adrp x10, value
1:	and x10, x10, #0xfff
	add x0, x2, x10
	str x0, [x1]
	ret

	.section .rodata.value,"a",@progbits
	.p2align 3
value:
	.xword 1
