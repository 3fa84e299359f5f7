// Stack arguments passed from a frame aligned beyond 16 bytes, called with SP at every multiple of 16: to a function that overwrites its arguments,
// to a function that passes on their address, and through a pointer. Words of the frame right above the arguments keep their values.
//@ goldens: analyze lower
//@ bounds: hold
//@ export: A_Passes passes
//@ export: B_Large large
	.ident "GCC: (GNU) 12.2.0"
	.globl passes
passes:
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

	.section .text.one,"ax",@progbits
	.type one,@function
one:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	sub x9, sp, #80
	and sp, x9, #0xffffffffffffffc0
	add x8, x0, #1
	stp x8, x0, [sp, #40]
	add x8, x0, #2
	str x8, [sp, #56]
	add x8, x0, #3
	add x9, x0, #4
	stp x8, x9, [sp]
	add x8, x0, #5
	add x9, x0, #6
	stp x8, x9, [sp, #16]
	add x8, x0, #7
	str x8, [sp, #32]
	bl overwrites
	mov x19, x0
	ldp x8, x9, [sp, #40]
	eor x19, x19, x8, ror #3
	eor x19, x19, x9, ror #5
	add x8, x0, #11
	stp x8, x0, [sp]
	bl list
	eor x19, x0, x19, ror #9
	ldr x8, [sp, #56]
	eor x19, x19, x8, ror #7
	stp x19, x0, [sp]
	adrp x8, pointer
	ldr x8, [x8, :lo12:pointer]
	blr x8
	eor x0, x0, x19, ror #11
	mov x8, sp
	and x8, x8, #63
	add x0, x0, x8
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.section .text.overwrites,"ax",@progbits
	.type overwrites,@function
overwrites:
	ldp x8, x9, [sp]
	ldp x10, x11, [sp, #16]
	ldr x12, [sp, #32]
	stp xzr, xzr, [sp]
	stp xzr, xzr, [sp, #16]
	str xzr, [sp, #32]
	eor x0, x8, x9, ror #1
	eor x0, x0, x10, ror #2
	eor x0, x0, x11, ror #3
	eor x0, x0, x12, ror #4
	ret

	.section .text.list,"ax",@progbits
	.type list,@function
list:
	str x30, [sp, #-16]!
	add x0, sp, #16
	bl reads
	ldr x30, [sp], #16
	ret
	.section .text.reads,"ax",@progbits
	.type reads,@function
reads:
	ldp x8, x9, [x0]
	sub x0, x9, x8, lsl #1
	ret

	.section .text.pointed,"ax",@progbits
	.type pointed,@function
pointed:
	ldp x8, x9, [sp]
	add x0, x8, x9, lsl #2
	ret
	.section .data.pointer,"aw",@progbits
	.p2align 3
pointer:
	.xword pointed

	// The largest number of words, from a frame of more than a page.
	.section .text.large,"ax",@progbits
	.globl large
	.type large,@function
large:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	sub x9, sp, #2, lsl #12
	and sp, x9, #0xffffffffffffff80
	ldr x8, [x0]
	str x8, [sp, #512]
	str x8, [sp]
	mvn x9, x8
	str x9, [sp, #504]
	bl first_and_last
	ldr x8, [sp, #512]
	eor x0, x0, x8, ror #13
	str x0, [x19]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.section .text.first_and_last,"ax",@progbits
	.type first_and_last,@function
first_and_last:
	ldr x8, [sp]
	ldr x9, [sp, #504]
	add x0, x8, x9, lsl #1
	ret
