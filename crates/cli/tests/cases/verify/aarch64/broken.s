// tests/all/verify puts faults into this program: frames of every size, an early return, calls, a tail jump, addresses, statics and pointers; an
// entry that checks the stack and one that does not; recursion; a panic; a frame contiguous with its stack arguments.
//@ export: Framed framed
//@ export: Fused fused
//@ export: Recursive recursive 8192
//@ export: Joins joins
//@ export: Told told blocking
//@ export: Over told over=800
	.type told,@function
told:
	ldr x2, [x0]
	str x2, [x1]
	ret
	.type framed,@function
framed:
	sub sp, sp, #2032
	stp x29, x30, [sp, #16]
	stp x20, x19, [sp, #496]
	add x29, sp, #16
	mov x19, x1
	ldr x0, [x0]
	str x0, [sp]
	cbz x0, 2f
	bl walk
	adrp x8, mask
	ldr q0, [x8, :lo12:mask]
	umov x8, v0.d[1]
	eor x0, x0, x8
	str x0, [x19]
	ldp x20, x19, [sp, #496]
	ldp x29, x30, [sp, #16]
	add sp, sp, #2032
	ret
2:	adrp x8, handlers+8
	ldr x8, [x8, :lo12:handlers+8]
	adrp x9, counter
	add x9, x9, :lo12:counter
	ldr x10, [x9]
	add x10, x10, #1
	str x10, [x9]
	str x8, [x19]
	ldp x20, x19, [sp, #496]
	ldp x29, x30, [sp, #16]
	add sp, sp, #2032
	ret
	.type recursive,@function
recursive:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	cmn x0, #9
	b.eq 5f
	and x0, x0, #15
	bl sum
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
5:	bl rustgo_panic

	.section .text.walk,"ax",@progbits
	.globl walk
	.type walk,@function
walk:
	stp x30, x19, [sp, #-16]!
	mov x19, x0
	cmp x0, #9
	b.lo 3f
	bl leaf
	add x0, x0, x19
	ldp x30, x19, [sp], #16
	ret
3:	sub sp, sp, #1, lsl #12
	str x0, [sp, #8]
	bl leaf
	ldr x8, [sp, #8]
	add x0, x0, x8
	add sp, sp, #1, lsl #12
	ldp x30, x19, [sp], #16
	b leaf

	.section .text.sum,"ax",@progbits
	.type sum,@function
sum:
	cbz x0, 4f
	stp x30, x19, [sp, #-16]!
	mov x19, x0
	sub x0, x0, #1
	bl sum
	add x0, x0, x19
	ldp x30, x19, [sp], #16
4:	ret

	.section .text.leaf,"ax",@progbits
	.globl leaf
	.type leaf,@function
leaf:
	add x0, x0, x0, lsl #1
	ret

	.section .text.fused,"ax",@progbits
	.globl fused
	.type fused,@function
fused:
	ldr x8, [x0]
	str x8, [sp, #-16]!
	ldr x8, [sp], #16
	str x8, [x1]
	ret

	.section .text.joins,"ax",@progbits
	.globl joins
	.type joins,@function
joins:
	sub sp, sp, #48
	str x30, [sp, #32]
	str x1, [sp, #40]
	ldr x8, [x0]
	stp x8, x8, [sp]
	str x8, [sp, #16]
	bl list
	ldr x1, [sp, #40]
	str x0, [x1]
	ldr x30, [sp, #32]
	add sp, sp, #48
	ret
	.type list,@function
list:
	str x30, [sp, #-16]!
	add x0, sp, #16
	bl third
	ldr x30, [sp], #16
	ret
	.type third,@function
third:
	ldr x0, [x0, #16]
	ret

	.section .text.rustgo_format_panic,"ax",@progbits
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	ret

	.section .rodata.mask,"a",@progbits
	.p2align 4
mask:
	.xword 0x0123456789abcdef, 0x1122334455667788
	.section .data.rel.ro.handlers,"aw",@progbits
	.p2align 3
handlers:
	.xword 77
	.xword leaf
	.section .data.counter,"aw",@progbits
	.p2align 3
counter:
	.xword 41
