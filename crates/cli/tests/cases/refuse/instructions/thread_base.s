# rdfsbase reads the address of thread-local storage without a segment prefix.
//@ export: A_Base thread_base
	.type thread_base,@function
thread_base:
	rdfsbase rax
	mov [rdi], rax
	ret
