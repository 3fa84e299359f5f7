# Code that formats panic messages stores a function's address in a static, and other code calls through the static.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	cmp rax, -3
	je 2f
	call [rip+hook]
	mov [rbx], rax
	pop rbx
	ret
2:	call rustgo_panic@PLT
	.type calm,@function
calm:
	inc rax
	ret
	.type wild,@function
wild:
	neg rax
	ret
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	lea rax, [rip+wild]
	mov [rip+hook], rax
	ret

	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.quad calm
