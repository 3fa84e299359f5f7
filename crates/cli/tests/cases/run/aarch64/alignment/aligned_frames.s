// Frames aligned beyond 16 bytes, called with SP at every multiple of 16: locals accessed through SP, through addresses made from SP and by an
// index, values kept over a call, stack arguments, stack probes, and code with all registers in use.
//@ goldens: analyze lower
//@ export: A_Locals locals
//@ export: B_Fused fused
//@ export: C_Large large
//@ export: D_CacheLines cache_lines
//@ export: E_Arguments arguments
//@ export: F_InUse in_use
//@ export: G_Forwarded forwarded
//@ export: H_EarlyReturn early
//@ export: I_Rotated rotated
	.globl locals
locals:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	str x21, [sp, #32]
	mov x29, sp
	mov x19, x1
	ldr x20, [x0]
	mov x0, x20
	bl one
	mov x21, x0
	mov x0, x20
	bl moves_16
	eor x21, x0, x21, ror #7
	mov x0, x20
	bl moves_32
	eor x21, x0, x21, ror #7
	mov x0, x20
	bl moves_48
	eor x21, x0, x21, ror #7
	str x21, [x19]
	ldr x21, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret

	.type moves_16,@function
moves_16:
	sub sp, sp, #16
	str x30, [sp]
	bl one
	ldr x30, [sp]
	add sp, sp, #16
	ret
	.type moves_32,@function
moves_32:
	sub sp, sp, #32
	str x30, [sp]
	bl one
	ldr x30, [sp]
	add sp, sp, #32
	ret
	.type moves_48,@function
moves_48:
	sub sp, sp, #48
	str x30, [sp]
	bl one
	ldr x30, [sp]
	add sp, sp, #48
	ret

	.type one,@function
one:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	str x21, [sp, #32]
	mov x29, sp
	sub x9, sp, #208
	and sp, x9, #0xffffffffffffffc0
	// The result includes the alignment of SP and of addresses made from SP.
	mov x8, sp
	and x19, x8, #63
	add x8, sp, #64
	and x8, x8, #63
	orr x19, x19, x8
	str x0, [sp]
	str x0, [sp, #8]
	fmov d0, x0
	dup v1.2d, v0.d[0]
	stp q0, q1, [sp, #64]
	str q1, [sp, #192]
	strb w0, [sp, #127]
	mov x20, sp
	add x1, sp, #160
	bl fills
	cmp sp, x20
	cset x21, eq
	add x19, x19, x21
	mov w8, #3
	ldr x9, [sp, x8, lsl #3]
	add x10, sp, #160
	ldr x11, [x10, x8, lsl #3]
	add x8, sp, x8
	ldurb w8, [x8, #124]
	ldp x12, x13, [sp, #64]
	ldp x14, x15, [x20, #192]
	ldr x16, [sp]
	ldr x17, [x20, #8]
	add x0, x0, x11
	eor x0, x0, x12, ror #9
	add x0, x0, x13
	eor x0, x0, x14, ror #19
	add x0, x0, x15
	eor x0, x0, x16, ror #29
	add x0, x0, x17
	eor x0, x0, x8, lsl #40
	add x0, x0, x19
	mov sp, x29
	ldr x21, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret
	.type fills,@function
fills:
	str x30, [sp, #-32]!
	str x0, [x1]
	str x0, [x1, #24]
	stp x1, x0, [sp, #16]
	ldr x0, [sp, #24]
	add x0, x0, #3
	ldr x30, [sp], #32
	ret

// No call: the function is fused with its entry, and SP is where Go has it.
	.globl fused
fused:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #96
	and sp, x9, #0xffffffffffffffe0
	ldr x8, [x0]
	stp x8, x8, [sp]
	str x8, [sp, #88]
	mov x9, sp
	and x9, x9, #31
	add x9, x9, x8
	ldr x8, [sp, #88]
	eor x9, x9, x8, ror #5
	ldp x10, x8, [sp]
	add x9, x9, x8
	sub sp, x29, #0
	str x9, [x1]
	ldp x29, x30, [sp], #16
	ret

// A large frame, probed as LLVM does.
	.globl large
large:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #24]
	mov x29, sp
	sub x9, sp, #5, lsl #12
	sub x9, x9, #64
	and x9, x9, #0xffffffffffffff80
1:	sub sp, sp, #1, lsl #12
	cmp sp, x9
	b.le 2f
	str xzr, [sp]
	b 1b
2:	mov sp, x9
	str xzr, [sp]
	ldr x8, [x0]
	mov x9, sp
	and x10, x9, #127
	str x8, [sp, #8]
	mov w11, #20472
	str x8, [x9, x11]
	str x8, [sp, x11]
	ldr x12, [sp, x11]
	add x10, x10, x12
	ldr x12, [sp, #8]
	add x10, x10, x12, lsl #3
	add x12, sp, #4, lsl #12
	str x10, [x12, #8]
	ldr x10, [sp, #16392]
	str x10, [x1]
	mov sp, x29
	ldr x19, [sp, #24]
	ldp x29, x30, [sp], #32
	ret

// The same, with the loop in LLVM's optimised form.
	.globl rotated
rotated:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #24]
	mov x29, sp
	sub x9, sp, #5, lsl #12
	sub x9, x9, #64
	and x9, x9, #0xffffffffffffff80
	sub sp, sp, #1, lsl #12
	cmp sp, x9
	b.le 2f
1:	str xzr, [sp]
	sub sp, sp, #1, lsl #12
	cmp sp, x9
	b.gt 1b
2:	mov sp, x9
	ldr xzr, [sp]
	ldr x8, [x0]
	mov x9, sp
	and x10, x9, #127
	str x8, [sp, #8]
	mov w11, #20472
	str x8, [x9, x11]
	str x8, [sp, x11]
	ldr x12, [sp, x11]
	add x10, x10, x12
	ldr x12, [sp, #8]
	add x10, x10, x12, lsl #3
	add x12, sp, #4, lsl #12
	str x10, [x12, #8]
	ldr x10, [sp, #16392]
	str x10, [x1]
	mov sp, x29
	ldr x19, [sp, #24]
	ldp x29, x30, [sp], #32
	ret

	.globl cache_lines
cache_lines:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #4080
	and sp, x9, #0xffffffffffffff00
	ldr x8, [x0]
	str x8, [sp]
	str x8, [sp, #4072]
	mov x9, sp
	and x9, x9, #0xff
	ldr x10, [sp, #4072]
	add x9, x9, x10
	str x9, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

// Stack arguments are accessed through the frame pointer.
	.globl arguments
arguments:
	sub sp, sp, #48
	stp x29, x30, [sp, #16]
	str x19, [sp, #32]
	add x29, sp, #16
	mov x19, x1
	ldr x0, [x0]
	add x8, x0, #11
	stp x8, x0, [sp]
	bl takes
	str x0, [x19]
	ldr x19, [sp, #32]
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	ret
	.type takes,@function
takes:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #48
	and sp, x9, #0xffffffffffffffc0
	ldr x8, [x29, #16]
	ldr x9, [x29, #24]
	str x8, [sp, #40]
	ldp x11, x10, [x29, #16]
	add x10, x10, x11
	ldr x8, [sp, #40]
	add x0, x8, x9, lsl #2
	eor x0, x0, x10, ror #3
	mov x8, sp
	and x8, x8, #63
	add x0, x0, x8
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl in_use
in_use:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #0xffffffffffffffc0
	ldr x2, [x0]
	mov x3, #3
	mov x4, #4
	mov x5, #5
	mov x6, #6
	mov x7, #7
	mov x8, #8
	mov x9, #9
	mov x10, #10
	mov x11, #11
	mov x12, #12
	mov x13, #13
	mov x14, #14
	mov x15, #15
	mov x16, #16
	mov x17, #17
	mov x19, #19
	str x2, [sp, #8]
	str x17, [sp, #16]
	ldr x19, [sp, #8]
	add x2, x2, x0
	sub x2, x2, x0
	add x2, x2, x3
	add x2, x2, x4
	add x2, x2, x5
	add x2, x2, x6
	add x2, x2, x7
	add x2, x2, x8
	add x2, x2, x9
	add x2, x2, x10
	add x2, x2, x11
	add x2, x2, x12
	add x2, x2, x13
	add x2, x2, x14
	add x2, x2, x15
	add x2, x2, x16
	add x2, x2, x17
	eor x2, x2, x19, ror #11
	ldr x3, [sp, #16]
	add x2, x2, x3
	str x2, [x1]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

// `one` is called through a pointer, from a frame of its own.
	.globl forwarded
forwarded:
	str x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x19, x1
	ldr x0, [x0]
	adrp x8, one
	add x8, x8, :lo12:one
	blr x8
	str x0, [x19]
	ldr x19, [sp, #16]
	ldr x30, [sp], #32
	ret

// An early return; the code after it still has the aligned frame.
	.globl early
early:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #0xffffffffffffffc0
	ldr x8, [x0]
	str x8, [sp, #24]
	tbnz x8, #0, 1f
	ldr x9, [sp, #24]
	add x9, x9, #1
	str x9, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
1:	ldr x9, [sp, #24]
	mov x8, sp
	and x8, x8, #63
	add x9, x9, x8
	add x9, x9, #7
	str x9, [x1]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
