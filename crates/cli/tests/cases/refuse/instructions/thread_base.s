# The address of the thread's storage is asked for without a segment prefix.
//@ export: A_Base thread_base
	.type thread_base,@function
thread_base:
	rdfsbase rax
	mov [rdi], rax
	ret
