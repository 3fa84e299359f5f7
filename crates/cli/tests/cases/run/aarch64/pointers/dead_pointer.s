// Calls and jumps through pointers in a program that takes no function's address: they are never executed.
//@ goldens: analyze lower
//@ export: A_Call calls
//@ export: B_Jump jumps
	.globl calls
calls:
	stp x29, x30, [sp, #-32]!
	mov x29, sp
	str x19, [sp, #16]
	mov x19, x1
	adrp x8, hook
	ldr x8, [x8, :lo12:hook]
	ldr x0, [x0]
	cbz x8, 1f
	blr x8
	b 2f
1:	add x0, x0, #5
2:	str x0, [x19]
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.globl jumps
jumps:
	adrp x8, hook
	ldr x8, [x8, :lo12:hook]
	ldr x9, [x0]
	cbz x8, 1f
	br x8
1:	str x9, [x1]
	ret
	.section .bss.hook,"aw",@nobits
	.p2align 3
hook:
	.zero 8
