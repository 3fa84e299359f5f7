# A system call, two calls below the export.
//@ export: Run run
	.type run,@function
run:
	push rax
	call helper
	pop rax
	ret
	.type helper,@function
helper:
	push rax
	call raw
	pop rax
	ret
	.type raw,@function
raw:
	mov eax, 39
	syscall
	ret
