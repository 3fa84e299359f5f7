// x18 belongs to the system on darwin and windows.
//@ export: Run run
	.type run,@function
run:
	mov x18, #1
	ret
