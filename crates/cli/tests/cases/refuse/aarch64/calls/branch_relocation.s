// The relocation of a jump at a conditional branch, whose field it does not fit.
//@ export: Run run
	.type run,@function
run:
	.reloc ., R_AARCH64_JUMP26, callee
	cbz x0, run
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ret
