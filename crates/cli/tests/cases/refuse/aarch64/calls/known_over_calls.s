// A callee changes x6 on one path, while x6 holds the upper part of an address.
//@ export: Run run
	.type run,@function
run:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	adrp x6, counter
	bl changes
	ldr x2, [x6, :lo12:counter]
	str x2, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type changes,@function
changes:
	cbnz x0, 2f
	b last
2:	ret
	.section .text.last,"ax",@progbits
	.type last,@function
last:
	mov x6, #9
	ret
	.section .bss.counter,"aw",@nobits
	.balign 8
counter: .zero 8
