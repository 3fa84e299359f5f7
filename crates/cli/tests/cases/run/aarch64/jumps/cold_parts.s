// gcc's cold fragments: jumps enter them, with a frame and without, and they jump back.
//@ goldens: decode analyze lower
//@ export: Run run
	.text
	.section	.text.unlikely,"ax",@progbits
	.align	2
	.type	slow, %function
slow:
.LFB0:
	mov	x1, 7
	mul	x0, x0, x1
	add	x0, x0, 1
	ret
.LFE0:
	.text
	.align	2
	.p2align 4,,11
	.type	work, %function
work:
.LFB1:
	sub	sp, sp, #16
	str	x0, [sp, 8]
	ldr	x0, [sp, 8]
	add	sp, sp, 16
	add	x0, x0, 3
	ret
.LFE1:
	.section	.text.unlikely
	.align	2
.LCOLDB0:
	.text
.LHOTB0:
	.align	2
	.p2align 4,,11
	.type	sw2, %function
sw2:
.LFB3:
	stp	x29, x30, [sp, -16]!
	and	x0, x0, 7
	mov	x29, sp
	cmp	x0, 5
	beq	.L6
	bhi	.L7
	cmp	x0, 2
	beq	.L8
	bls	.L21
	cmp	x0, 3
	beq	.L22
	sub	x0, x1, #9
.L5:
	ldp	x29, x30, [sp], 16
	ret
	.p2align 2,,3
.L21:
	cmp	x0, 1
	add	x0, x1, 10
	add	x1, x1, x1, lsl 1
	csel	x0, x1, x0, eq
	ldp	x29, x30, [sp], 16
	ret
	.p2align 2,,3
.L7:
	cmp	x0, 6
	beq	.L23
	mov	x0, -6148914691236517206
	movk	x0, 0xaaab, lsl 0
	umulh	x1, x1, x0
	lsr	x0, x1, 1
	b	.L5
	.p2align 2,,3
.L23:
	mul	x0, x1, x1
	b	.L5
	.p2align 2,,3
.L8:
	mov	x0, 77
	eor	x0, x1, x0
	b	.L5
	.p2align 2,,3
.L6:
	mov	x0, x1
	bl	work
	add	x0, x0, 4
	b	.L5
.L22:
	b	.L12
	.section	.text.unlikely
	.type	sw2.cold, %function
sw2.cold:
.LFSB3:
.L12:
	mov	x0, x1
	bl	slow
	add	x0, x0, 2
	b	.L5
.LFE3:
	.text
	.section	.text.unlikely
.LCOLDE0:
	.text
.LHOTE0:
	.section	.text.unlikely
	.align	2
.LCOLDB2:
	.text
.LHOTB2:
	.align	2
	.p2align 4,,11
	.global	run
	.type	run, %function
run:
.LFB4:
	stp	x29, x30, [sp, -96]!
	adrp	x2, .LC1
	mov	x29, sp
	ldr	q0, [x2, #:lo12:.LC1]
	stp	x19, x20, [sp, 16]
	mov	x19, x1
	ldr	x20, [x0]
	stp	x21, x22, [sp, 32]
	mov	x0, x20
	str	x23, [sp, 48]
	stp	q0, q0, [sp, 64]
	bl	work
	mov	x2, 58255
	movk	x2, 0x8e38, lsl 16
	and	x23, x20, 3
	movk	x2, 0x38e3, lsl 32
	mov	x21, x0
	movk	x2, 0xe38e, lsl 48
	umulh	x2, x20, x2
	and	x1, x2, -8
	add	x2, x1, x2, lsr 3
	sub	x2, x20, x2
	cmp	x2, 4
	beq	.L25
	bhi	.L26
	cmp	x2, 1
	beq	.L27
	bls	.L28
	cmp	x2, 2
	bne	.L53
	mov	x0, 77
	eor	x21, x21, x0
	mov	x0, x21
	bl	work
	add	x22, x21, x0
	.p2align 3,,7
.L35:
	add	x2, sp, 64
	mov	x1, x20
	lsr	x0, x20, 3
	ldr	x21, [x2, x23, lsl 3]
	bl	sw2
	add	x0, x0, x22
	add	x0, x0, x21
	and	x1, x0, 3
	cmp	x1, 1
	beq	.L54
.L36:
	mov	x1, 5
	and	x1, x0, x1
	cmp	x1, 4
	beq	.L55
.L37:
	ldp	x21, x22, [sp, 32]
	ldr	x23, [sp, 48]
	str	x0, [x19]
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 96
	ret
	.p2align 2,,3
.L26:
	lsr	x22, x0, 2
	cmp	x2, 6
	beq	.L35
	cmp	x2, 7
	beq	.L48
	cmp	x2, 5
	bne	.L34
	mul	x22, x0, x0
	b	.L35
.L48:
	b	.L32
	.p2align 2,,3
.L53:
	b	.L44
	.p2align 2,,3
.L28:
	add	x22, x0, 10
	b	.L35
.L34:
	mvn	x22, x21
	b	.L35
	.p2align 2,,3
.L25:
	sub	x22, x0, #5
	b	.L35
	.p2align 2,,3
.L27:
	add	x22, x0, x0, lsl 1
	b	.L35
	.p2align 2,,3
.L55:
	tst	x0, 7
	beq	.L37
	b	.L46
.L54:
	b	.L45
	.section	.text.unlikely
	.type	run.cold, %function
run.cold:
.LFSB4:
.L32:
	bl	slow
	add	x21, x21, x0
	b	.L34
.L46:
	mov	x20, 0
.L38:
	bl	slow
	add	x0, x20, x0
	and	x1, x0, 7
	add	x20, x20, 1
	cmp	x1, x20
	bhi	.L38
	b	.L37
.L44:
	bl	slow
	add	x22, x20, x0
	b	.L35
.L45:
	bl	slow
	add	x20, x20, x0
	mov	x0, x20
	bl	work
	add	x0, x20, x0
	b	.L36
.LFE4:
	.text
	.section	.text.unlikely
.LCOLDE2:
	.text
.LHOTE2:
	.section	.rodata.cst16,"aM",@progbits,16
	.align	4
.LC1:
	.xword	9
	.xword	9
