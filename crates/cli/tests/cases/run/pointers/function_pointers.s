# Function pointers: chosen by cmov from local ones, loaded from a read-only table, and loaded from a static that an atomic
# exchange sets at run time (as crates cache CPU features).
//@ goldens: analyze lower
//@ export: Run run
	.type run,@function
run:
	push rbx
	push r12
	mov rbx, [rdi]
	mov r12, rsi
	lea rax, [rip+plus]
	lea rcx, [rip+minus]
	test bl, 1
	cmovne rax, rcx
	call rax
	mov ecx, ebx
	and ecx, 1
	lea rdx, [rip+handlers]
	call [rdx+rcx*8]
	mov rax, [rip+cached]
	call rax
	mov [r12], rbx
	pop r12
	pop rbx
	ret
	.globl plus
	.type plus,@function
plus:
	add rbx, 1000
	ret
	.globl minus
	.type minus,@function
minus:
	sub rbx, 77
	ret
	.globl detect
	.type detect,@function
detect:
	lea rax, [rip+fast]
	xchg [rip+cached], rax
	jmp fast
	.globl fast
	.type fast,@function
fast:
	rol rbx, 3
	ret

	.section .data.rel.ro.handlers,"aw",@progbits
	.p2align 3
handlers:
	.quad plus
	.quad minus

	.section .data.cached,"aw",@progbits
	.p2align 3
cached:
	.quad detect
