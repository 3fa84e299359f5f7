# `int 0x80`, the older way to make a system call.
//@ export: Run run
	.type run,@function
run:
	mov eax, 20
	int 0x80
	ret
