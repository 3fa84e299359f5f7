// A mask of SP that is no alignment; SP moved after it is aligned; SP aligned twice; accesses across an aligned frame, from SP and x29.
//@ export: A_Mask mask
//@ export: B_Again again
//@ export: C_Twice twice
//@ export: D_Across across
//@ export: E_Below below
	.globl mask
mask:
	sub x9, sp, #64
	and sp, x9, #0xfffffffffffffeff
	ret

	.globl again
again:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	sub sp, sp, #16
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl twice
twice:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	sub x9, sp, #32
	and sp, x9, #-32
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl across
across:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	str x0, [sp, #64]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl below
below:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	stur x0, [x29, #-8]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret
