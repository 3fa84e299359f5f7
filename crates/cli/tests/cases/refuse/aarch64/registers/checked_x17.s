// A recursive function receives a value in x17, which the stack check at its entry overwrites.
//@ export: Run run 16384
	.type run,@function
run:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x17, [x0]
	and x17, x17, #15
	bl countdown
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type countdown,@function
countdown:
	str x30, [sp, #-16]!
	add x0, x0, x17
	sub x17, x17, #1
	cbz x17, 2f
	bl countdown
2:	ldr x30, [sp], #16
	ret
