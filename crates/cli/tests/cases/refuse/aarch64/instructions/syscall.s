// A system call.
//@ export: Run run
	.type run,@function
run:
	mov x8, #93
	svc #0
	ret
