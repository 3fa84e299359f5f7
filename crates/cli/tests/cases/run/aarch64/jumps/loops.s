// Branches within a function: each form forwards and backwards, and one whose range of 32 KiB is exceeded because lowering enlarges the code.
//@ goldens: lower
//@ export: Run run
//@ export: Far far
	.type run,@function
run:
	ldr x8, [x0]
	and x9, x8, #15
	mov x0, xzr
	cbz x9, 3f
2:	add x0, x0, x9
	add x0, x0, x8
	subs x9, x9, #1
	b.ne 2b
3:	mov w9, #9
4:	add x0, x0, #1
	tbz w0, #2, 5f
	sub w9, w9, #1
	cbnz w9, 4b
5:	tbnz x0, #40, 6f
	b 7f
6:	eor x0, x0, #1
7:	str x0, [x1]
	ret

	.section .text.far,"ax",@progbits
	.type far,@function
far:
	sub sp, sp, #512
	str x30, [sp, #480]
	str xzr, [sp]
	ldr x8, [x0]
	mov x0, #5
	tbz w8, #0, 2f
	stp x8, x8, [sp, #496]
	ldr x30, [sp, #480]
	.rept 8186
	add x0, x0, #3
	.endr
	str x30, [sp, #480]
	tbnz w8, #1, 3f
2:	add x0, x0, x8
3:	str x0, [x1]
	ldr x30, [sp, #480]
	add sp, sp, #512
	ret
