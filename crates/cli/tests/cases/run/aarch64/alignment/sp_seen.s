// SP is a multiple of 16 wherever code can see it: in a body fused with its entry, in a body that is called, and in a callee with its own
// frame. The results include SP modulo 16.
//@ export: Fused fused
//@ export: Framed framed
	.type fused,@function
fused:
	ldr x9, [x0]
	sub sp, sp, #48
	mov x10, sp
	and x10, x10, #15
	add x9, x9, x10, lsl #32
	add x11, sp, #16
	and x11, x11, #15
	add x9, x9, x11, lsl #40
	str x9, [x1]
	add sp, sp, #48
	ret
	.type framed,@function
framed:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	ldr x0, [x0]
	and x10, x29, #15
	add x0, x0, x10, lsl #32
	bl large
	str x0, [x19]
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.section .text.large,"ax",@progbits
	.type large,@function
large:
	sub sp, sp, #1040
	str x30, [sp, #1024]
	mov x10, sp
	str x10, [sp]
	and x10, x10, #15
	add x0, x0, x10, lsl #44
	bl leaf
	ldr x30, [sp, #1024]
	add sp, sp, #1040
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	sub sp, sp, #16
	mov x10, sp
	and x10, x10, #15
	add x0, x0, x10, lsl #48
	add sp, sp, #16
	ret
