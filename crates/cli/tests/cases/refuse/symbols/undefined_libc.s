# Functions of the C library: named, with the chain that needs them.
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
