// Jumps to other functions with SP as on entry, conditional and unconditional; one through a register, one to another section.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	ldr x0, [x0]
	tbnz w0, #0, odd
	cmp x0, #100
	b.hi big
	cbz x0, store
	b store

	.type odd,@function
odd:
	str x19, [sp, #-16]!
	mov x19, #3
	mul x0, x0, x19
	add x0, x0, #1
	ldr x19, [sp], #16
	tbz w0, #1, store
	neg x0, x0
	b store

	.type big,@function
big:
	lsr x0, x0, #1
	adrp x16, store
	add x16, x16, :lo12:store
	br x16

	.type store,@function
store:
	tbz x0, #0, even
	str x0, [x1]
	ret
	.type even,@function
even:
	b last

	.section .text.last,"ax",@progbits
	.globl last
	.type last,@function
last:
	str x0, [x1]
	ret
