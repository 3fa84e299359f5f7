// A conditional branch has the relocation of a jump, which does not fit its field.
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
