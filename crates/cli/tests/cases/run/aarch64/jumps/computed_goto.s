// A table of addresses inside a function, as compilers make it for computed goto.
//@ goldens: analyze lower
//@ export: Run run
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	ldr x2, [x0]
	and x3, x2, #1
	adrp x4, labels
	add x4, x4, :lo12:labels
	ldr x5, [x4, x3, lsl #3]
	br x5
.Leven:
	mov x2, #2
	str x2, [x1]
	ret
.Lodd:
	add x2, x2, #7
.Lstore:
	str x2, [x1]
	ret
	.section .text.unlikely,"ax",@progbits
	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels:
	.quad .Leven
	.quad .Lodd
