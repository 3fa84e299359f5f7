// Stack probes as LLVM writes them: unrolled for a few pages, a loop for more.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	sub sp, sp, #1, lsl #12
	str xzr, [sp]
	sub sp, sp, #1, lsl #12
	str xzr, [sp]
	sub sp, sp, #816
	mov x19, x1
	ldr x0, [x0]
	str x0, [sp, #8]
	str x0, [sp, #8000]
	bl loop_probe
	ldr x8, [sp, #8]
	ldr x9, [sp, #8000]
	add x0, x0, x8
	add x0, x0, x9
	str x0, [x19]
	add sp, sp, #2, lsl #12
	add sp, sp, #816
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.section .text.loop_probe,"ax",@progbits
	.type loop_probe,@function
loop_probe:
	stp x29, x30, [sp, #-16]!
	sub x9, sp, #5, lsl #12
4:	sub sp, sp, #1, lsl #12
	cmp sp, x9
	str xzr, [sp]
	b.ne 4b
	sub sp, sp, #32
	str xzr, [sp]
	str x0, [sp, #16]
	mov w8, #20000
	str x0, [sp, x8]
	ldr x8, [sp, x8]
	sub x8, x8, #9
	ldr x0, [sp, #16]
	add x0, x0, x8
	add sp, sp, #5, lsl #12
	add sp, sp, #32
	ldp x29, x30, [sp], #16
	ret
