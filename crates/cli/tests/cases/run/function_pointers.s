# Function pointers: chosen by cmov from a local set, from a table in read-only data, and from a static that is set at
# run time by an atomic store (how crates cache what the CPU can do).
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
