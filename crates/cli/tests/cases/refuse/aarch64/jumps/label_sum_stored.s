// The jump's target is the sum of a label's address and a distance. The function stores the sum in its frame and loads it again, as gcc -O0 does.
//@ export: Run run
	.type run,@function
run:
	str x30, [sp, #-16]!
	ldr x2, [x0]
	and x3, x2, #1
	adrp x4, distances
	add x4, x4, :lo12:distances
	ldrsw x3, [x4, x3, lsl #2]
	adrp x5, base
	ldr x5, [x5, :lo12:base]
	add x3, x3, x5
	str x3, [sp, #8]
	ldr x2, [x0]
	ldr x3, [sp, #8]
	br x3
.Lone:
	add x2, x2, #1
	str x2, [x1]
	ldr x30, [sp], #16
	ret
.Ltwo:
	neg x2, x2
	str x2, [x1]
	ldr x30, [sp], #16
	ret

	.section .data.base,"aw",@progbits
	.p2align 3
base:
	.xword .Lone
	.section .rodata.distances,"a",@progbits
	.p2align 2
distances:
	.word 0
	.word .Ltwo - .Lone
