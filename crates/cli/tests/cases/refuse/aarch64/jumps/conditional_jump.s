// A conditional jump to a function of another section, of which only the linker knows whether it reaches.
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
