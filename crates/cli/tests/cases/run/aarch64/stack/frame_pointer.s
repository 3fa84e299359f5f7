// A frame accessed through x29: words of the frame, SP restored from x29, and a frame record in the middle of the frame.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #96
	stp x20, x19, [sp, #80]
	stp x29, x30, [sp, #64]
	add x29, sp, #64
	mov x19, x1
	ldr x20, [x0]
	stur x20, [x29, #-16]
	str x20, [sp, #8]
	sub x0, x29, #16
	bl leaf
	ldur x8, [x29, #-16]
	ldr x9, [sp, #8]
	add x8, x8, x9
	add x8, x8, x0
	str x8, [x19]
	sub sp, x29, #64
	ldp x29, x30, [sp, #64]
	ldp x20, x19, [sp, #80]
	add sp, sp, #96
	ret

	.section .text.leaf,"ax",@progbits
	.type leaf,@function
leaf:
	ldr x8, [x0]
	ror x8, x8, #9
	str x8, [x0]
	mov x0, x8
	ret
