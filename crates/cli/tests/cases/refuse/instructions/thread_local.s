# Thread-local storage, in the form compilers use for a program of its own and in that of shared libraries.
//@ export: Exe exe
//@ export: Shared shared
	.type exe,@function
exe:
	mov rax, fs:[0]
	mov rax, [rax+counter@TPOFF]
	mov [rsi], rax
	ret
	.type shared,@function
shared:
	push rax
	lea rdi, [rip+counter@TLSGD]
	call __tls_get_addr@PLT
	pop rcx
	ret
	.section .tbss.counter,"awT",@nobits
	.p2align 3
counter:
	.zero 8
