// Variadic functions as gcc compiles them: va_list counts from the address between frame and arguments, down to saved registers and up to
// arguments. Lists that are copied and passed on, structs by value, floating-point numbers, 128-bit integers, named stack arguments that are
// changed, calls in arguments of calls, callers with large frames and small ones, a call through a pointer.
//@ goldens: lower
//@ export: Run run
	.text
	.section	.text.take,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	take, %function
take:
	ldrb	w2, [x0]
	mov	x3, x0
	ldp	x4, x7, [x1]
	mov	x0, 7
	ldr	x8, [x1, 16]
	ldp	w5, w6, [x1, 24]
	cbz	w2, .L1
	fmov	d2, 2.0e+0
	fmov	d1, 4.0e+0
	b	.L38
	.p2align 2,,3
.L43:
	cmp	w2, 100
	beq	.L7
	cmp	w2, 103
	bne	.L9
	tbnz	w5, #31, .L32
	add	x2, x4, 15
	mov	x1, x4
	and	x4, x2, -8
.L33:
	ldr	x2, [x1]
	ldr	x1, [x2, 32]
	ldr	x2, [x2]
	add	x1, x1, x1, lsl 3
	eor	x1, x1, x2
	add	x0, x0, x1
	.p2align 3,,7
.L9:
	ldrb	w2, [x3, 1]!
	cbz	w2, .L1
.L38:
	lsl	x1, x0, 5
	sub	x0, x1, x0
	cmp	w2, 109
	beq	.L3
	bhi	.L4
	cmp	w2, 105
	beq	.L5
	bls	.L43
	cmp	w2, 108
	bne	.L9
	tbnz	w5, #31, .L17
	add	x2, x4, 15
	mov	x1, x4
	and	x4, x2, -8
.L18:
	ldrb	w2, [x3, 1]!
	ldr	x1, [x1]
	add	x0, x0, x1
	cbnz	w2, .L38
.L1:
	ret
	.p2align 2,,3
.L4:
	cmp	w2, 115
	beq	.L11
	cmp	w2, 119
	bne	.L44
	tbnz	w5, #31, .L23
.L41:
	add	x1, x4, 15
	and	x1, x1, -16
	add	x4, x1, 16
.L24:
	ldp	x1, x2, [x1]
	add	x2, x2, x2, lsl 1
	eor	x2, x2, x1
	add	x0, x0, x2
	b	.L9
.L44:
	cmp	w2, 112
	bne	.L9
	tbnz	w5, #31, .L26
	add	x1, x4, 23
	mov	x2, x4
	and	x4, x1, -8
.L27:
	ldp	x2, x1, [x2]
	add	x1, x1, x1, lsl 2
	eor	x1, x1, x2
	add	x0, x0, x1
	b	.L9
	.p2align 2,,3
.L11:
	tbnz	w6, #31, .L35
	add	x1, x4, 31
	ldr	d3, [x4, 16]
	ldp	d0, d4, [x4]
	and	x4, x1, -8
.L36:
	fmadd	d0, d4, d2, d0
	fmadd	d0, d3, d1, d0
	fcvtzu	x1, d0
	add	x0, x0, x1
	b	.L9
	.p2align 2,,3
.L3:
	tbnz	w5, #31, .L29
	add	x2, x4, 23
	mov	x1, x4
	and	x4, x2, -8
.L30:
	ldr	d0, [x1]
	ldr	x9, [x1, 8]
	fcvtzu	x1, d0
	lsl	x2, x9, 3
	sub	x2, x2, x9
	eor	x1, x1, x2
	add	x0, x0, x1
	b	.L9
	.p2align 2,,3
.L7:
	tbnz	w6, #31, .L20
	add	x2, x4, 15
	mov	x1, x4
	and	x4, x2, -8
.L21:
	ldr	d0, [x1]
	fcvtzu	x1, d0
	add	x0, x0, x1
	b	.L9
	.p2align 2,,3
.L5:
	tbnz	w5, #31, .L14
	add	x2, x4, 11
	mov	x1, x4
	and	x4, x2, -8
.L15:
	ldrsw	x1, [x1]
	add	x0, x0, x1
	b	.L9
	.p2align 2,,3
.L32:
	add	w2, w5, 8
	cmp	w2, 0
	ble	.L34
	add	x9, x4, 15
	mov	x1, x4
	mov	w5, w2
	and	x4, x9, -8
	b	.L33
	.p2align 2,,3
.L14:
	add	w2, w5, 8
	cmp	w2, 0
	ble	.L16
	add	x9, x4, 11
	mov	x1, x4
	mov	w5, w2
	and	x4, x9, -8
	b	.L15
	.p2align 2,,3
.L20:
	add	w2, w6, 16
	cmp	w2, 0
	ble	.L22
	add	x9, x4, 15
	mov	x1, x4
	mov	w6, w2
	and	x4, x9, -8
	b	.L21
	.p2align 2,,3
.L29:
	add	w2, w5, 16
	cmp	w2, 0
	ble	.L31
	add	x9, x4, 23
	mov	x1, x4
	mov	w5, w2
	and	x4, x9, -8
	b	.L30
	.p2align 2,,3
.L35:
	add	w1, w6, 48
	cmp	w1, 0
	ble	.L37
	add	x2, x4, 31
	ldr	d3, [x4, 16]
	ldp	d0, d4, [x4]
	mov	w6, w1
	and	x4, x2, -8
	b	.L36
	.p2align 2,,3
.L26:
	add	w1, w5, 16
	cmp	w1, 0
	ble	.L28
	add	x9, x4, 23
	mov	x2, x4
	mov	w5, w1
	and	x4, x9, -8
	b	.L27
	.p2align 2,,3
.L23:
	add	w1, w5, 15
	and	w1, w1, -16
	add	w5, w1, 16
	cmp	w5, 0
	bgt	.L41
	add	x1, x7, w1, sxtw
	b	.L24
	.p2align 2,,3
.L17:
	add	w2, w5, 8
	cmp	w2, 0
	ble	.L19
	add	x9, x4, 15
	mov	x1, x4
	mov	w5, w2
	and	x4, x9, -8
	b	.L18
	.p2align 2,,3
.L28:
	add	x2, x7, w5, sxtw
	mov	w5, w1
	b	.L27
	.p2align 2,,3
.L37:
	add	x2, x8, w6, sxtw
	ldr	d0, [x8, w6, sxtw]
	mov	w6, w1
	ldr	d4, [x2, 16]
	ldr	d3, [x2, 32]
	b	.L36
	.p2align 2,,3
.L31:
	add	x1, x7, w5, sxtw
	mov	w5, w2
	b	.L30
	.p2align 2,,3
.L22:
	add	x1, x8, w6, sxtw
	mov	w6, w2
	b	.L21
	.p2align 2,,3
.L16:
	add	x1, x7, w5, sxtw
	mov	w5, w2
	b	.L15
	.p2align 2,,3
.L34:
	add	x1, x7, w5, sxtw
	mov	w5, w2
	b	.L33
	.p2align 2,,3
.L19:
	add	x1, x7, w5, sxtw
	mov	w5, w2
	b	.L18
	.size	take, .-take
	.section	.text.fill,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	fill, %function
fill:
	mov	x2, 0
	.p2align 3,,7
.L46:
	add	x1, x1, x2
	str	x1, [x0, x2, lsl 3]
	add	x2, x2, 1
	cmp	x2, 300
	bne	.L46
	ret
	.size	fill, .-fill
	.section	.text.end,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	end, %function
end:
	add	x0, x0, x0, lsl 1
	add	x0, x0, 1
	ret
	.size	end, .-end
	.section	.text.gather,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	gather, %function
gather:
	stp	x29, x30, [sp, -304]!
	mov	w9, -56
	mov	w8, -128
	mov	x29, sp
	add	x10, sp, 240
	add	x11, sp, 304
	stp	x11, x11, [sp, 48]
	add	x11, sp, 80
	mov	x12, x0
	str	x10, [sp, 64]
	add	x10, sp, 16
	stp	w9, w8, [sp, 72]
	str	q0, [sp, 112]
	ldp	q0, q16, [sp, 48]
	str	q1, [sp, 128]
	str	q2, [sp, 144]
	str	q3, [sp, 160]
	str	q4, [sp, 176]
	str	q5, [sp, 192]
	str	q6, [sp, 208]
	str	q7, [sp, 224]
	stp	x1, x2, [sp, 248]
	mov	x1, x10
	stp	x3, x4, [sp, 264]
	stp	x5, x6, [sp, 280]
	str	x7, [sp, 296]
	stp	q0, q16, [x11]
	stp	q0, q16, [x10]
	bl	take
	mov	x1, x0
	ldp	q0, q1, [x11]
	mov	x0, x12
	mov	x11, x1
	mov	x1, x10
	stp	q0, q1, [x10]
	bl	take
	eor	x0, x11, x0, lsl 1
	ldp	x29, x30, [sp], 304
	ret
	.size	gather, .-gather
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align	3
.LC0:
	.string	"l"
	.section	.text.small,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	small, %function
small:
	stp	x29, x30, [sp, -16]!
	adrp	x2, .LC0
	mov	x1, x0
	mov	x29, sp
	add	x0, x2, :lo12:.LC0
	bl	gather
	ldp	x29, x30, [sp], 16
	add	x0, x0, 1
	ret
	.size	small, .-small
	.section	.rodata.str1.8
	.align	3
.LC1:
	.string	"ldl"
	.section	.text.named,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	named, %function
named:
	stp	x29, x30, [sp, -208]!
	mov	w4, -128
	mov	x29, sp
	ldp	x2, x3, [sp, 216]
	add	x1, sp, 240
	add	x5, sp, 208
	str	x1, [sp, 48]
	add	x1, sp, 208
	str	x1, [sp, 56]
	str	x5, [sp, 64]
	add	x1, sp, 16
	stp	wzr, w4, [sp, 72]
	adds	x3, x2, x3
	str	q0, [sp, 80]
	eor	x10, x2, x3
	ldp	q16, q17, [sp, 48]
	adrp	x2, .LC1
	ldr	x3, [sp, 208]
	str	q1, [sp, 96]
	ldr	x12, [sp, 232]
	str	q2, [sp, 112]
	add	x11, x0, x3
	str	q3, [sp, 128]
	cinc	x12, x12, cs
	add	x0, x2, :lo12:.LC1
	str	q4, [sp, 144]
	add	x11, x11, x11, lsl 1
	add	x11, x11, x12
	str	q5, [sp, 160]
	str	q6, [sp, 176]
	str	q7, [sp, 192]
	stp	q16, q17, [x1]
	bl	take
	add	x2, x10, x10, lsl 2
	add	x2, x2, 21
	add	x11, x11, x2
	add	x0, x11, x0
	ldp	x29, x30, [sp], 208
	ret
	.size	named, .-named
	.section	.rodata.str1.8
	.align	3
.LC2:
	.string	"llllllllllll"
	.align	3
.LC3:
	.string	"lllllllllp"
	.section	.text.nested,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	nested, %function
nested:
	sub	sp, sp, #320
	mov	x8, x0
	add	x12, x0, 11
	add	x9, x8, 8
	add	x11, sp, 256
	add	x14, x8, 7
	stp	x29, x30, [sp, 48]
	add	x29, sp, 48
	add	x13, x0, 10
	mov	w10, -56
	str	x12, [sp, 32]
	add	x12, sp, 320
	add	x0, x0, 9
	stp	x14, x9, [sp]
	mov	w9, -128
	stp	x0, x13, [sp, 16]
	adrp	x0, .LC2
	add	x0, x0, :lo12:.LC2
	stp	x12, x12, [sp, 96]
	str	x11, [sp, 112]
	str	w10, [sp, 120]
	str	w9, [sp, 124]
	str	q0, [sp, 128]
	str	q1, [sp, 144]
	str	q2, [sp, 160]
	str	q3, [sp, 176]
	str	q4, [sp, 192]
	str	q5, [sp, 208]
	str	q6, [sp, 224]
	str	q7, [sp, 240]
	stp	x1, x2, [sp, 264]
	mov	x1, x8
	add	x2, x8, 1
	stp	x3, x4, [sp, 280]
	add	x3, x8, 2
	add	x4, x8, 3
	stp	x5, x6, [sp, 296]
	add	x5, x8, 4
	add	x6, x8, 5
	str	x7, [sp, 312]
	add	x7, x8, 6
	bl	gather
	mov	x10, x0
	ldp	q0, q1, [sp, 96]
	add	x1, sp, 64
	adrp	x0, .LC3
	add	x0, x0, :lo12:.LC3
	stp	q0, q1, [x1]
	bl	take
	eor	x0, x10, x0
	ldp	x29, x30, [sp, 48]
	add	sp, sp, 320
	ret
	.size	nested, .-nested
	.section	.text.big,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	big, %function
big:
	sub	sp, sp, #2448
	mov	x3, x0
	mov	x1, x3
	add	x0, sp, 48
	stp	x29, x30, [sp, 32]
	add	x29, sp, 32
	bl	fill
	ldp	x0, x2, [sp, 104]
	mov	x1, x3
	ldp	x4, x5, [sp, 128]
	str	x3, [sp, 24]
	ldp	x6, x7, [sp, 144]
	ldr	x8, [sp, 160]
	str	x8, [sp]
	ldr	x8, [sp, 168]
	str	x8, [sp, 8]
	ldr	x3, [sp, 120]
	ldr	x8, [sp, 2440]
	str	x8, [sp, 16]
	bl	nested
	ldr	x1, [sp, 2048]
	ldp	x29, x30, [sp, 32]
	add	x0, x0, x1
	add	sp, sp, 2448
	ret
	.size	big, .-big
	.section	.text.jumps,"ax",@progbits
	.align	2
	.p2align 4,,11
	.type	jumps, %function
jumps:
	stp	x29, x30, [sp, -112]!
	mov	w12, -56
	mov	x9, 12
	add	x10, sp, 112
	mov	x29, sp
	add	x13, sp, 48
	mov	w8, w12
	mov	x11, x10
	mov	x0, 0
	stp	x10, x10, [sp, 16]
	str	x13, [sp, 32]
	stp	w12, wzr, [sp, 40]
	stp	x1, x2, [sp, 56]
	stp	x3, x4, [sp, 72]
	stp	x5, x6, [sp, 88]
	str	x7, [sp, 104]
	b	.L63
	.p2align 2,,3
.L66:
	mov	x1, x10
	subs	x9, x9, #1
	add	x10, x10, 8
	ldr	x1, [x1]
	add	x0, x0, x1
	beq	.L68
.L63:
	add	w2, w8, 8
	add	x0, x0, x0, lsl 2
	tbz	w8, #31, .L66
	add	x1, x11, w8, sxtw
	mov	w8, w2
	cmp	w2, 0
	bgt	.L66
	ldr	x1, [x1]
	subs	x9, x9, #1
	add	x0, x0, x1
	bne	.L63
.L68:
	bl	end
	ldp	x29, x30, [sp], 112
	ret
	.size	jumps, .-jumps
	.section	.rodata.str1.8
	.align	3
.LC4:
	.string	""
	.align	3
.LC5:
	.string	"iwdlpmgswilwpmgsddddddddd"
	.align	3
.LC6:
	.string	"pwl"
	.section	.text.run,"ax",@progbits
	.align	2
	.p2align 4,,11
	.globl	run
	.type	run, %function
run:
	sub	sp, sp, #464
	fmov	d18, 3.0e+0
	mov	x7, 2
	mov	x8, 5
	fmov	d1, 1.5e+0
	mov	x14, 4
	stp	x29, x30, [sp, 192]
	add	x29, sp, 192
	fmov	d20, 7.0e+0
	fmov	d21, 6.0e+0
	stp	x19, x20, [sp, 208]
	fmov	d22, 5.0e+0
	fmov	d23, 4.0e+0
	ldr	x19, [x0]
	stp	x21, x22, [sp, 224]
	adrp	x0, .LC4
	and	x2, x19, 255
	stp	x23, x24, [sp, 240]
	mul	x13, x19, x19
	umulh	x6, x19, x19
	scvtf	d0, x2
	mov	x23, 3
	mov	x24, x1
	adds	x21, x13, x23
	and	x1, x19, 4095
	cinc	x22, x6, cs
	add	x0, x0, :lo12:.LC4
	scvtf	d17, x1
	stp	x25, x26, [sp, 256]
	eor	x26, x19, x8
	add	x25, x19, 4
	str	x27, [sp, 272]
	mov	x27, 1
	str	x6, [sp, 296]
	stp	d1, d0, [sp, 400]
	fmov	d24, 2.0e+0
	lsr	x15, x19, 3
	str	d18, [sp, 416]
	fmov	d19, 8.0e+0
	str	x19, [sp, 424]
	fmov	d7, 1.0e+0
	str	x27, [sp, 432]
	add	x20, x19, x27
	stp	x7, x23, [sp, 440]
	str	x25, [sp, 456]
	bl	gather
	add	x4, sp, 424
	add	x3, sp, 352
	add	x1, sp, 304
	ldr	d6, [sp, 416]
	ldr	x2, [x4, 32]
	adds	x13, x13, x14
	ldp	q0, q2, [x4]
	fmov	d16, 9.0e+0
	ldr	x6, [sp, 296]
	fmov	d3, d6
	ldp	d4, d5, [sp, 400]
	stp	q0, q2, [x3]
	cinc	x4, x6, cs
	stp	q0, q2, [x1]
	lsr	x6, x19, 7
	fmov	d1, d4
	str	x3, [sp, 16]
	fmov	d2, d5
	str	x13, [sp, 32]
	mov	x5, 9
	str	x2, [x3, 32]
	eor	x5, x21, x5
	str	x2, [x1, 32]
	fmov	d0, 2.5e+0
	str	x4, [sp, 40]
	add	x13, x0, x0, lsl 1
	str	w6, [sp, 48]
	mov	x2, x21
	stp	x19, x5, [sp, 56]
	mov	x6, x15
	mov	x3, x22
	stp	x22, x19, [sp, 72]
	mov	x5, x19
	mov	x4, x19
	str	x15, [sp, 88]
	adrp	x0, .LC5
	str	d17, [sp, 96]
	add	x0, x0, :lo12:.LC5
	stp	x26, x1, [sp, 104]
	mov	w1, w19
	stp	d24, d18, [sp, 120]
	stp	d23, d22, [sp, 136]
	stp	d21, d20, [sp, 152]
	stp	d19, d16, [sp, 168]
	str	d17, [sp]
	str	x26, [sp, 8]
	add	x26, x19, 2
	bl	gather
	add	x2, x13, x0
	mov	x8, 5
	mov	x7, 2
	fmov	d0, 8.5e+0
	stp	x19, x15, [sp]
	add	x13, x2, x2, lsl 1
	stp	x21, x22, [sp, 16]
	mov	x2, x7
	mov	x5, x8
	stp	x20, x26, [sp, 32]
	mov	x4, x14
	mov	x3, x23
	mov	x1, x27
	mov	x6, 6
	mov	x0, x19
	bl	named
	mov	x2, x0
	mov	x0, x19
	add	x2, x13, x2
	add	x23, x2, x2, lsl 1
	bl	big
	mov	x2, x0
	add	x2, x23, x2
	mov	x0, x19
	add	x13, x2, x2, lsl 1
	bl	small
	add	x0, x13, x0
	adrp	x1, :got:pointer
	ldr	x1, [x1, :got_lo12:pointer]
	mov	x5, x22
	mov	x4, x21
	mov	x2, x15
	add	x21, x0, x0, lsl 1
	mov	x6, x19
	ldr	x3, [x1]
	adrp	x0, .LC6
	mov	x1, x19
	add	x0, x0, :lo12:.LC6
	blr	x3
	add	x0, x21, x0
	add	x1, x19, 11
	add	x2, x19, 10
	add	x3, x19, 9
	add	x4, x19, 8
	add	x5, x19, 7
	stp	x5, x4, [sp]
	add	x14, x0, x0, lsl 1
	stp	x3, x2, [sp, 16]
	add	x7, x19, 6
	add	x6, x19, 5
	str	x1, [sp, 32]
	mov	x5, x25
	mov	x3, x26
	mov	x2, x20
	add	x4, x19, 3
	mov	x1, x19
	mov	x0, 12
	bl	jumps
	ldp	x29, x30, [sp, 192]
	add	x0, x14, x0
	ldp	x19, x20, [sp, 208]
	ldp	x21, x22, [sp, 224]
	ldp	x25, x26, [sp, 256]
	ldr	x27, [sp, 272]
	str	x0, [x24]
	ldp	x23, x24, [sp, 240]
	add	sp, sp, 464
	ret
	.size	run, .-run
	.globl	pointer
	.section	.data.rel.local,"aw"
	.align	3
	.type	pointer, %object
	.size	pointer, 8
pointer:
	.xword	gather
