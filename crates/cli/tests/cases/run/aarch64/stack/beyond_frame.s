// An address above the frame, made from SP, is compared with one that a callee counts up from a local (`p.wrapping_add(11)`). A second such
// address is only subtracted, and a third lies far below the frame.
//@ goldens: lower
//@ export: Above above
//@ export: Distance distance
//@ export: Below below
	.type above,%function
above:
	stp x29, x30, [sp, #-16]!
	bl above_in
	ldp x29, x30, [sp], #16
	ret
	.type above_in,%function
above_in:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	mov x19, x1
	ldr x20, [x0]
	str x20, [sp, #40]
	add x0, sp, #40
	and x1, x20, #3
	add x1, x1, #9
	bl count
	add x1, sp, #128
	cmp x0, x1
	cset x2, eq
	add x2, x2, x20
	str x2, [x19]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret
	.type distance,%function
distance:
	stp x29, x30, [sp, #-16]!
	bl distance_in
	ldp x29, x30, [sp], #16
	ret
	.type distance_in,%function
distance_in:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	mov x19, x1
	ldr x20, [x0]
	add x0, sp, #40
	and x1, x20, #15
	bl count
	add x1, sp, #128
	sub x2, x1, x0
	str x2, [x19]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret
	.type below,%function
below:
	stp x29, x30, [sp, #-16]!
	bl below_in
	ldp x29, x30, [sp], #16
	ret
	.type below_in,%function
below_in:
	stp x29, x30, [sp, #-48]!
	stp x19, x20, [sp, #16]
	mov x19, x1
	ldr x20, [x0]
	add x0, sp, #40
	mov x1, #-100
	bl count
	sub x1, sp, #760
	sub x2, x1, x0
	str x2, [x19]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #48
	ret
	.section .text.count,"ax",%progbits
	.type count,%function
count:
	add x0, x0, x1, lsl #3
	ret
