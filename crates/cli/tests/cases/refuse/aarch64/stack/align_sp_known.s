// An address beyond an aligned frame, in code that LLVM has not made; a frame aligned on one path only; addresses that are used after the
// frame is aligned, or left.
//@ export: F_Made made
//@ export: H_OnOneWay one_way
//@ export: I_Stale stale
	.ident "GCC: (Debian 12.2.0-14) 12.2.0"
	.globl made
made:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	add x8, sp, #80
	str x0, [x8]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl one_way
one_way:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	cbz x0, 1f
	and sp, x9, #-64
	b 2f
1:	sub sp, sp, #128
2:	str x0, [sp]
	mov sp, x29
	ldp x29, x30, [sp], #16
	ret

	.globl stale
stale:
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	sub x9, sp, #64
	and sp, x9, #-64
	mov x8, sp
	str x0, [x9]
	mov sp, x29
	str x0, [x8]
	ldp x29, x30, [sp], #16
	ret
