# Thread-local storage as compilers access it in executables (a segment prefix) and in shared libraries (__tls_get_addr).
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
