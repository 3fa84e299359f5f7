// The known value of a caller-saved register stays known over a call of a function that does not change the register: here the upper
// part of an address (gcc's -fipa-ra). The value also stays known over a callee that calls another function and ends in a jump.
//@ export: Run run
	.type run,@function
run:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	adrp x6, counter
	adrp x7, other
	bl bump
	ldr x2, [x6, :lo12:counter]
	add x0, x0, x2
	str xzr, [x6, :lo12:counter]
	bl outer
	ldr x3, [x7, :lo12:other]
	add x0, x0, x3
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type bump,@function
bump:
	adrp x1, counter
	mov x2, #7
	str x2, [x1, :lo12:counter]
	ret
	.type outer,@function
outer:
	str x30, [sp, #-16]!
	bl bump
	ldr x30, [sp], #16
	b last
	.section .text.last,"ax",@progbits
	.type last,@function
last:
	adrp x1, other
	mov x2, #9
	str x2, [x1, :lo12:other]
	ret
	.section .bss.counter,"aw",@nobits
	.balign 8
counter: .zero 8
	.section .bss.other,"aw",@nobits
	.balign 8
other:	.zero 8
