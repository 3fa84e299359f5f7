// A recursive function is called, and x17 is read after the call. The value of x17 is undefined there, since a linker may insert a veneer that
// changes x17 before a function is entered. So the stack check may use x17.
//@ export: Run run 16384
	.type run,@function
run:
	stp x30, x19, [sp, #-32]!
	str x20, [sp, #16]
	mov x19, x1
	ldr x20, [x0]
	tbnz x20, #0, 1f
	and x0, x20, #15
	bl countdown
	b 2f
1:	mov x0, x20
	mov x17, x20
2:	mov x8, x17
	add x9, x0, #1
	tst x20, #1
	csel x0, x9, x8, eq
	str x0, [x19]
	ldr x20, [sp, #16]
	ldp x30, x19, [sp], #32
	ret

	.section .text.countdown,"ax",@progbits
	.globl countdown
	.type countdown,@function
countdown:
	cbz x0, 3f
	stp x30, x19, [sp, #-16]!
	mov x19, x0
	sub x0, x0, #1
	bl countdown
	add x0, x0, x19
	ldp x30, x19, [sp], #16
3:	ret
