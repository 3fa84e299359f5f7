# Calls of C library functions: each error names the function and its call chain.
//@ export: Run run
	.type run,@function
run:
	push rax
	call allocate
	call print
	pop rax
	ret
	.type allocate,@function
allocate:
	push rax
	mov edi, 64
	call malloc@PLT
	pop rcx
	ret
	.type print,@function
print:
	jmp puts@PLT
