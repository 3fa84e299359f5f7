// A function that aligns its frame may pass more stack arguments than lowered code copies.
//@ export: Run arguments
	.ident "GCC: (GNU) 12.2.0"
	.globl arguments
arguments:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #1024
	and sp, x9, #-64
	str x0, [sp]
	bl takes
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
	.type takes,@function
takes:
	ldr x0, [sp]
	ret
