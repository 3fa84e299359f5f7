// A call that never returns ends a block, once where the function has no frame. The code after such a call runs at another stack depth. A jump
// goes to another function with SP as on entry.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	cmn x8, #2
	b.eq 4f
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	sub sp, sp, #16
	cmn x8, #1
	b.eq 3f
	mov x0, x8
	bl leaf
	bl ends
	add sp, sp, #16
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
3:	mov x0, x8
	bl fails
4:	mov x0, xzr
	bl fails

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	add x0, x0, #1
	ret

	.section .text.ends,"ax",@progbits
	.type ends,@function
ends:
	cbnz x0, other
	str x30, [sp, #-16]!
	bl fails
	.type other,@function
other:
	eor x0, x0, #3
	ret

	.section .text.fails,"ax",@progbits
	.type fails,@function
fails:
	str x30, [sp, #-16]!
	bl rustgo_panic
