// Function pointers: chosen by a condition from local ones, loaded from a read-only table, and loaded from a static that an atomic
// store sets at run time (as crates cache CPU features).
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	stp x20, x19, [sp, #16]
	mov x29, sp
	mov x20, x1
	ldr x19, [x0]
	adrp x8, plus
	add x8, x8, :lo12:plus
	adrp x9, minus
	add x9, x9, :lo12:minus
	mov x0, x19
	tbz w19, #0, 2f
	mov x8, x9
2:	blr x8
	and x8, x19, #1
	adrp x9, handlers
	add x9, x9, :lo12:handlers
	ldr x8, [x9, x8, lsl #3]
	blr x8
	adrp x8, cached
	ldr x8, [x8, :lo12:cached]
	blr x8
	str x0, [x20]
	ldp x20, x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.section .text.plus,"ax",@progbits
	.globl plus
	.type plus,@function
plus:
	add x0, x0, #1000
	ret

	.section .text.minus,"ax",@progbits
	.globl minus
	.type minus,@function
minus:
	sub x0, x0, #77
	ret

	.section .text.detect,"ax",@progbits
	.globl detect
	.type detect,@function
detect:
	adrp x8, fast
	add x8, x8, :lo12:fast
	adrp x9, cached
	add x9, x9, :lo12:cached
	stlr x8, [x9]
	b fast

	.section .text.fast,"ax",@progbits
	.globl fast
	.type fast,@function
fast:
	ror x0, x0, #61
	ret

	.section .data.rel.ro.handlers,"aw",@progbits
	.p2align 3
handlers:
	.xword plus
	.xword minus

	.section .data.cached,"aw",@progbits
	.p2align 3
cached:
	.xword detect
