// A jump goes to a label on one path and to a function on the other.
//@ export: Run run
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	ldr x2, [x0]
	and x3, x2, #1
	tbz x2, #1, 1f
	adrp x4, labels
	add x4, x4, :lo12:labels
	ldr x5, [x4, x3, lsl #3]
	b 2f
1:	adrp x5, pointed
	add x5, x5, :lo12:pointed
2:	br x5
.Leven:
	mov x2, #2
.Lodd:
	str x2, [x1]
	ret
	.section .text.pointed,"ax",@progbits
	.type pointed,@function
pointed:
	str x2, [x1]
	ret
	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels:
	.quad .Leven
	.quad .Lodd
