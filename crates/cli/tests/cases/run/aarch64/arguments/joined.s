// Frames contiguous with the stack arguments. The address of the boundary is passed on and stored, pointers move across it, indexes count from
// it, and a function without a frame uses it. Also: jumps to other functions from such a frame, a loop to the entry, recursion, frames larger
// than a page, aligned frames, and a caller whose frame is smaller than what another caller passes.
//@ goldens: analyze lower
//@ export: A_HandedOn handed_on
//@ export: B_Jumps jumps
//@ export: C_Recursion recursion 16384
//@ export: D_Large large
//@ export: E_Aligned aligned
//@ export: F_NoArguments no_arguments
//@ export: G_Kept kept
	.type handed_on,@function
handed_on:
	sub sp, sp, #64
	stp x29, x30, [sp, #32]
	stp x20, x19, [sp, #48]
	mov x19, x1
	ldr x20, [x0]
	add x8, x20, #3
	stp x20, x8, [sp]
	str x20, [sp, #16]
	bl both
	stp x20, x0, [sp]
	bl frameless
	stp x0, x20, [sp]
	bl moved
	stp x20, x0, [sp]
	bl indexed
	stp x0, x20, [sp]
	bl early
	orr x0, x0, #1
	mov x20, x0
	bl with_less
	eor x0, x0, x20, lsl #1
	str x0, [x19]
	ldp x20, x19, [sp, #48]
	ldp x29, x30, [sp, #32]
	add sp, sp, #64
	ret

	.section .text.both,"ax",@progbits
	.type both,@function
both:
	sub sp, sp, #64
	str x30, [sp, #16]
	stp x0, x20, [sp, #48]
	add x1, sp, #64
	stp x1, x1, [sp]
	mov x0, sp
	bl from_list
	ldr x30, [sp, #16]
	add sp, sp, #64
	ret

	// A list like va_list: [0] counts up, [1] counts down.
	.type from_list,@function
from_list:
	ldp x8, x9, [x0]
	ldp x10, x11, [x8]
	ldr x12, [x8, #16]
	ldp x13, x14, [x9, #-16]
	sub x0, x10, x11, lsr #3
	eor x0, x0, x12, ror #5
	add x0, x0, x13, lsr #7
	eor x0, x0, x14, ror #11
	str x0, [x8]
	str x12, [x9, #-8]
	ldr x8, [x8]
	add x0, x0, x8
	ret

	// A function without a frame passes on the address of its arguments.
	.type frameless,@function
frameless:
	ldr x1, [sp, #8]
	mov x0, sp
	b read_two

	.type read_two,@function
read_two:
	ldp x8, x9, [x0]
	sub x0, x8, x9, lsl #1
	eor x0, x0, x1, ror #3
	ret

	// A pointer moves out of the frame into the arguments.
	.type moved,@function
moved:
	sub sp, sp, #16
	str x0, [sp, #8]
	mov x8, sp
	ldr x9, [x8, #24]!
	ldr x10, [x8], #-16
	ldr x0, [x8]
	add x0, x0, x9
	eor x0, x0, x10
	add sp, sp, #16
	ret

	// Indexes lead up to the arguments and down into the frame.
	.type indexed,@function
indexed:
	sub sp, sp, #32
	str x0, [sp, #24]
	add x8, sp, #32
	mov x9, #8
	ldr x10, [x8, x9]
	neg x9, x9
	ldr x11, [x8, x9]
	mov x9, #16
	ldr x12, [x8, x9]
	sub x0, x10, x11
	eor x0, x0, x12, ror #9
	add sp, sp, #32
	ret

	// An argument is changed before the frame is made and read after the frame is gone.
	.type early,@function
early:
	ldr x9, [sp, #8]
	add x9, x9, #5
	str x9, [sp, #8]
	cbz x9, 1f
	str x30, [sp, #-32]!
	add x0, sp, #32
	bl from_two
	ldr x30, [sp], #32
	ldr x9, [sp]
	add x0, x0, x9
1:	ret

	.type from_two,@function
from_two:
	ldp x8, x9, [x0]
	add x8, x8, x9, lsr #3
	str x8, [x0]
	mov x0, x9
	ret

	// This frame is smaller than what the other caller of `both` may pass.
	.type with_less,@function
with_less:
	stp x30, x20, [sp, #-16]!
	bl both_or_none
	ldp x30, x20, [sp], #16
	ret

	.type both_or_none,@function
both_or_none:
	cbz x0, both
	add x0, x0, #1
	ret

	.section .text.jumps,"ax",@progbits
	.globl jumps
	.type jumps,@function
jumps:
	sub sp, sp, #48
	stp x29, x30, [sp, #16]
	stp x20, x19, [sp, #32]
	mov x19, x1
	ldr x20, [x0]
	eor x8, x20, #0xff
	stp x20, x8, [sp]
	mov x0, #0
	bl jumper
	mov x20, x0
	mov x0, #1
	bl jumper
	eor x20, x20, x0, ror #3
	mov x0, #2
	bl jumper
	eor x20, x20, x0, ror #7
	mov x0, #9
	bl jumper
	eor x20, x20, x0, ror #11
	str x20, [x19]
	ldp x20, x19, [sp, #32]
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	ret

	// The function's jump targets read the arguments, also after a jump back to its own entry.
	.type jumper,@function
jumper:
	mov x2, sp
	cmp x0, #2
	b.eq leaf
	b.hi 1f
	adrp x3, table
	add x3, x3, :lo12:table
	ldr x3, [x3, x0, lsl #3]
	br x3
1:	ldr x9, [sp, #8]
	add x9, x9, #1
	str x9, [sp, #8]
	sub x0, x0, #1
	cmp x0, #5
	b.ne jumper
	b leaf

	.type leaf,@function
leaf:
	ldp x8, x9, [x2]
	add x0, x8, x9, lsr #9
	ret
	.type other,@function
other:
	stp x29, x30, [sp, #-16]!
	mov x0, #3
	bl leaf
	add x0, x0, #1
	ldp x29, x30, [sp], #16
	ret
	.section .data.rel.ro.table,"aw",@progbits
	.p2align 3
table:
	.xword leaf
	.xword other

	.section .text.recursion,"ax",@progbits
	.globl recursion
	.type recursion,@function
recursion:
	sub sp, sp, #48
	stp x29, x30, [sp, #16]
	str x19, [sp, #32]
	mov x19, x1
	ldr x8, [x0]
	stp x8, x8, [sp]
	and x0, x8, #15
	bl level
	str x0, [x19]
	ldr x19, [sp, #32]
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	ret
	.type level,@function
level:
	sub sp, sp, #48
	stp x29, x30, [sp, #16]
	str x0, [sp, #32]
	add x1, sp, #48
	ldp x8, x9, [x1]
	add x8, x8, x9, lsr #5
	cbz x0, 1f
	stp x9, x8, [sp]
	sub x0, x0, #1
	bl level
	ldr x8, [sp, #32]
	ldr x9, [sp, #56]
	add x8, x8, x0
	eor x8, x8, x9, ror #1
1:	mov x0, x8
	add x1, sp, #48
	str x0, [x1, #8]
	bl touch
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	ret
	.type touch,@function
touch:
	ldr x9, [x1, #8]
	ldr x8, [x1, #-16]
	add x0, x0, x9
	eor x0, x0, x8
	ret

	.section .text.large,"ax",@progbits
	.globl large
	.type large,@function
large:
	sub sp, sp, #1024
	str x30, [sp, #304]
	str x19, [sp, #1008]
	str x20, [sp, #1016]
	mov x19, x1
	ldr x20, [x0]
	mov x8, sp
	add x9, sp, #304
1:	str x20, [x8], #8
	add x20, x20, #7
	cmp x8, x9
	b.ne 1b
	mov x0, x20
	bl page
	str x0, [x19]
	ldr x19, [sp, #1008]
	ldr x20, [sp, #1016]
	ldr x30, [sp, #304]
	add sp, sp, #1024
	ret
	.type page,@function
page:
	sub sp, sp, #2, lsl #12
	str x30, [sp]
	str x0, [sp, #8184]
	add x1, sp, #2, lsl #12
	str x1, [sp, #8]
	mov x0, sp
	bl ends
	ldr x30, [sp]
	add sp, sp, #2, lsl #12
	ret
	.type ends,@function
ends:
	ldr x8, [x0, #8]
	ldr x9, [x8, #-8]
	ldr x0, [x8]
	ldr x10, [x8, #288]
	ldr x11, [x8, #296]
	eor x0, x0, x9, ror #3
	add x0, x0, x10, lsr #5
	eor x0, x0, x11, ror #7
	ret

	.section .text.aligned,"ax",@progbits
	.globl aligned
	.type aligned,@function
aligned:
	sub sp, sp, #48
	stp x29, x30, [sp, #16]
	str x19, [sp, #32]
	mov x19, x1
	ldr x8, [x0]
	mvn x9, x8
	stp x8, x9, [sp]
	bl rounds
	str x0, [x19]
	ldr x19, [sp, #32]
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	ret
	.type rounds,@function
rounds:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #0xffffffffffffffc0
	add x19, x29, #32
	str x19, [sp, #8]
	mov x0, sp
	and x1, x0, #63
	bl after
	ldr x8, [x19]
	add x0, x0, x8
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.type after,@function
after:
	ldr x8, [x0, #8]
	ldp x9, x10, [x8]
	add x0, x9, x10, lsr #3
	add x0, x0, x1
	str x0, [x8]
	ret

	// The end of a local is the end of the frame; no caller passes arguments.
	.section .text.no_arguments,"ax",@progbits
	.globl no_arguments
	.type no_arguments,@function
no_arguments:
	sub sp, sp, #32
	str x30, [sp]
	ldr x8, [x0]
	str x8, [sp, #16]
	mvn x8, x8
	str x8, [sp, #24]
	str x1, [sp, #8]
	add x0, sp, #16
	add x1, sp, #32
	bl add_up
	ldr x1, [sp, #8]
	str x0, [x1]
	ldr x30, [sp]
	add sp, sp, #32
	ret
	.type add_up,@function
add_up:
	mov x8, #1
1:	ldr x9, [x0], #8
	add x8, x9, x8, lsr #3
	cmp x0, x1
	b.ne 1b
	mov x0, x8
	ret

	// The caller keeps registers and flags over the call, because the callee does not change them.
	.section .text.kept,"ax",@progbits
	.globl kept
	.type kept,@function
kept:
	stp x29, x30, [sp, #-48]!
	str x19, [sp, #32]
	mov x19, x1
	ldr x8, [x0]
	str x8, [sp, #16]
	sub sp, sp, #16
	str x8, [sp]
	add x9, x8, #1
	add x10, x8, #2
	add x11, x8, #3
	add x14, x8, #4
	add x15, x8, #5
	add x16, x8, #6
	add x17, x8, #7
	cmp x8, #100
	bl leaves
	cinc x0, x0, hi
	eor x0, x0, x9, ror #1
	eor x0, x0, x10, ror #2
	eor x0, x0, x11, ror #3
	eor x0, x0, x14, ror #4
	eor x0, x0, x15, ror #5
	eor x0, x0, x16, ror #6
	eor x0, x0, x17, ror #7
	add sp, sp, #16
	str x0, [x19]
	ldr x19, [sp, #32]
	ldp x29, x30, [sp], #48
	ret
	.type leaves,@function
leaves:
	mov x0, sp
	mov x13, x0
	stp x13, x0, [sp, #-16]!
	ldr x0, [x0]
	add sp, sp, #16
	ret
