// Code that cannot return stores a function pointer, by an atomic exchange, where a later call finds it.
// The call may reach that function too.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-32]!
	str x19, [sp, #16]
	mov x29, sp
	mov x19, x1
	ldr x0, [x0]
	cmn x0, #3
	b.eq 2f
	adrp x8, hook
	add x8, x8, :lo12:hook
	ldr x8, [x8]
	blr x8
	str x0, [x19]
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
2:	adrp x0, hook
	add x0, x0, :lo12:hook
	adrp x1, wild
	add x1, x1, :lo12:wild
1:	ldaxr x9, [x0]
	stlxr w10, x1, [x0]
	cbnz w10, 1b
	udf #0

	.section .text.calm,"ax",@progbits
	.globl calm
	.type calm,@function
calm:
	add x0, x0, #1
	ret

	.section .text.wild,"ax",@progbits
	.globl wild
	.type wild,@function
wild:
	neg x0, x0
	ret

	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.xword calm
