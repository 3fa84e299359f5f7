// The upper part of an address is moved, kept in a callee-saved register over a call, and kept in the frame, alone and in a pair. It
// is loaded on one path and made on another before the two meet. The lower part may be of a place up to a page away.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-64]!
	stp x19, x20, [sp, #16]
	str x21, [sp, #32]
	mov x19, x1
	ldr x20, [x0]
	adrp x8, first
	mov x21, x8
	adrp x9, second
	stp x9, x8, [sp, #40]
	adrp x10, second
	str x10, [sp, #56]
	mov x0, x20
	bl callee
	ldr x9, [x21, :lo12:first]
	add x0, x0, x9
	tbz x20, #0, 2f
	ldr x8, [sp, #40]
	b 3f
2:	adrp x8, second
3:	ldr x9, [x8, :lo12:second]
	eor x0, x0, x9
	ldp x9, x10, [sp, #40]
	ldr x9, [x9, :lo12:second+8]
	add x10, x10, :lo12:first+16
	ldr x10, [x10]
	add x0, x0, x9
	eor x0, x0, x10, lsl #3
	ldr x8, [sp, #56]
	str x20, [x8, :lo12:second+16]
	ldr x9, [x8, :lo12:second+16]
	add x0, x0, x9
	str x0, [x19]
	ldr x21, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #64
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	str x21, [sp, #-16]!
	mov x21, x0
	adrp x8, first
	ldr x8, [x8, :lo12:first+8]
	mul x0, x21, x8
	ldr x21, [sp], #16
	ret

	.section .rodata.first,"a",@progbits
	.p2align 4
first:
	.xword 1001, 1003, 1007
	.section .data.second,"aw",@progbits
	.p2align 4
second:
	.xword 2001, 2003, 0
