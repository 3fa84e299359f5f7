// Stack arguments passed from an aligned frame in code assembled by LLVM: only words written since the last call are arguments, however large the
// frame is. The callee also gets their address. The frame's other words stay as they are.
//@ goldens: analyze lower
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
	ldr x8, [x0]
	str x8, [sp, #800]
	add x9, x8, #3
	stp x8, x9, [sp]
	adrp x8, pointers
	ldr x8, [x8, :lo12:pointers]
	mov x0, sp
	blr x8
	str x0, [sp, #808]
	adrp x8, pointers+8
	ldr x8, [x8, :lo12:pointers+8]
	add x0, sp, #800
	blr x8
	ldr x8, [sp, #808]
	eor x0, x0, x8, ror #5
	str x0, [x19]
	mov sp, x29
	ldr x19, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.section .text.takes,"ax",@progbits
	.type takes,@function
takes:
	ldp x8, x9, [sp]
	ldr x10, [x0]
	add x9, x9, x8, lsl #1
	add x0, x9, x10, lsl #2
	ret
	.section .text.none,"ax",@progbits
	.type none,@function
none:
	ldp x8, x9, [x0]
	add x0, x8, x9
	ret
	.section .data.pointers,"aw",@progbits
	.p2align 3
pointers:
	.xword takes
	.xword none
	.xword pointers
