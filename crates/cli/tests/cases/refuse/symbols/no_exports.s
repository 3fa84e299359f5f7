# Nothing is exported.
	.globl run
run:
	ret
