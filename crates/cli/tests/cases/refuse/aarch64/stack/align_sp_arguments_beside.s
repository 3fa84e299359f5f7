// A function passes stack arguments once from an aligned frame and once from a frame that is not aligned, equally deep.
//@ export: Run arguments
	.globl arguments
arguments:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	cbz x0, 1f
	sub x9, sp, #64
	and sp, x9, #-64
	str x0, [sp]
	bl takes
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
1:	sub sp, sp, #128
	str x0, [sp]
	bl takes
	add sp, sp, #128
	ldp x29, x30, [sp], #16
	ret
	.type takes,@function
takes:
	ldr x0, [sp]
	ret
