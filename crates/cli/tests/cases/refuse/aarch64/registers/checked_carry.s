// A recursive function reads its caller's carry flag, which the stack check at its entry changes.
//@ export: Run run 16384
	.type run,@function
run:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	bl countdown
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type countdown,@function
countdown:
	str x30, [sp, #-16]!
	adc x0, x0, x0
	cbz x0, 2f
	cmp x0, #77
	bl countdown
2:	ldr x30, [sp], #16
	ret
