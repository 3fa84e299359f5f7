# As far as the analysis knows, `run` calls `calm` through a pointer. But code that formats panic messages takes the address of `wild`. `wild` reads
# rcx, which `calm` does not read, and its caller then reads rdi. So neither register is free where code needs one to access a static.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	cmp rax, -3
	je 2f
	lea rdx, [rip+hook]
	mov rsi, [rdx]
	mov ecx, 5
	mov edi, 6
	add [rip+total], rax
	call rsi
	add rax, rdi
	mov [rbx], rax
	mov qword ptr [rip+total], 0
	pop rbx
	ret
2:	call rustgo_panic@PLT
	.type calm,@function
calm:
	inc rax
	ret
	.type wild,@function
wild:
	add rax, rcx
	mov edx, 1
	mov ecx, 2
	mov esi, 3
	add rax, [rip+total]
	add rax, rsi
	add [rip+total], rax
	add rax, rcx
	add rax, rdx
	ret
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	lea rax, [rip+wild]
	mov [rsi], rax
	ret

	.section .data.hook,"aw",@progbits
	.p2align 3
hook:
	.quad calm
	.section .bss.total,"aw",@nobits
	.p2align 3
total:
	.zero 8
