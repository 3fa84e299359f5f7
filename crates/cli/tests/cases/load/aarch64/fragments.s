# gcc's cold fragments become parts of the functions that jump to them. A pair of relocations in a fragment moves into the function too.
//@ member: cold
//@ export: Run run
	.section .text.run,"ax",@progbits
	.globl run
	.type run,@function
run:
	cbz x0, 1f
	b .Lcold
.Lback:
	bl other
1:	ret

	.section .text.other,"ax",@progbits
	.type other,@function
other:
	ret

	.section .text.unlikely,"ax",@progbits
	.type run.cold,@function
run.cold:
	nop
.Lcold:
	adrp x0, constant
	ldr x0, [x0, :lo12:constant]
	b .Lback

	.section .rodata.constant,"a",@progbits
	.p2align 3
constant:
	.quad 7
