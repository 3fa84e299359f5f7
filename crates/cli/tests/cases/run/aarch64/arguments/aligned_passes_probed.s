// Stack arguments passed from a large aligned frame. LLVM probes the bottom of such a frame by a load into xzr, and the bottom holds the arguments: this
// load does not make them words that the function itself reads.
//@ goldens: lower
//@ export: Run run
	.ident "clang version 19.1.0"
	.globl run
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	sub x9, sp, #1, lsl #12
	and sp, x9, #0xffffffffffffffc0
	ldr xzr, [sp]
	ldr x8, [x0]
	add x9, x8, #3
	stp x8, x9, [sp]
	mov x0, x8
	bl takes
	str x0, [x19]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.section .text.takes,"ax",@progbits
	.type takes,@function
takes:
	ldp x8, x9, [sp]
	add x9, x9, x8, lsl #1
	add x0, x9, x0, lsl #2
	ret
