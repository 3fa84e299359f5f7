// A direct call from an aligned frame of a function that reads a stack argument, where the caller reads the same word itself: so it is no argument.
//@ export: Run run
	.ident "clang version 19.1.0"
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	sub x9, sp, #1, lsl #12
	and sp, x9, #0xffffffffffffffc0
	ldr x8, [x0]
	str x8, [sp]
	ldr x0, [sp]
	bl takes
	str x0, [x19]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.section .text.takes,"ax",@progbits
	.type takes,@function
takes:
	ldr x8, [sp]
	add x0, x8, x0, lsl #2
	ret
