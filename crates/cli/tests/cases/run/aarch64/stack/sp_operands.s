// Operands on SP in every form but the usual one: an added register, structures, exclusives, prefetches. Stack arguments are accessed
// through an addition to a pointer into the frame, and by a pair that is too far from such a pointer.
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #544
	str x30, [sp, #528]
	str x19, [sp, #520]
	mov x19, x1
	ldr x0, [x0]
	mov w9, #24
	add x8, sp, x9
	str x0, [x8]
	dup v0.2d, x0
	st1 {v0.2d}, [sp]
	add x10, sp, #256
	st1 {v0.2d}, [x10], #16
	str x0, [x10, #8]
	prfm pldl1keep, [sp, #64]
2:	ldaxr x11, [sp]
	add x11, x11, #1
	stlxr w12, x11, [sp]
	cbnz w12, 2b
	mov w9, #3
	str x0, [sp, #488]
	str w9, [sp, x9, lsl #2]
	ldr x8, [sp, x9, lsl #3]
	ld1 {v1.2d}, [sp]
	umov x10, v1.d[0]
	umov x11, v1.d[1]
	eor x0, x8, x10, lsl #1
	add x0, x0, x11
	str x0, [sp, #480]
	bl callee
	ldr x8, [sp, #264]
	add x0, x0, x8
	ldr x8, [sp, #280]
	sub x0, x0, x8, lsl #2
	str x0, [x19]
	ldr x19, [sp, #520]
	ldr x30, [sp, #528]
	add sp, sp, #544
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	sub sp, sp, #16
	mov x8, sp
	str x0, [x8, #8]
	add x9, x8, #24
	add x9, x9, #8
	ldr x10, [x9, #8]
	ldp x11, x12, [x8, #496]
	ldr x0, [sp, #8]
	add x0, x0, x10
	eor x0, x0, x11, lsl #3
	sub x0, x0, x12
	add sp, sp, #16
	ret
