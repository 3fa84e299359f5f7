// A conditional jump to a function of another section: only the linker knows whether the distance fits.
//@ export: Run run
	.type run,@function
run:
	cbz x0, other
	ret

	.section .text.other,"ax",@progbits
	.globl other
	.type other,@function
other:
	ret
