// A function that aligns its frame passes arguments on the stack.
//@ export: Run arguments
	.globl arguments
arguments:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
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
