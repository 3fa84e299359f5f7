# Pushes of memory: through a register, through SP, and of a static; of immediates, short and long.
# goldens lower
# export Run run
	.type run,@function
run:
	push qword ptr [rdi]
	push qword ptr [rsp]
	push qword ptr [rip+constant]
	push 5
	push 100000
	push -3
	pop rax
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	add rax, rcx
	pop rcx
	imul rax, rcx
	mov [rsi], rax
	ret

	.section .rodata.constant,"a",@progbits
	.p2align 3
constant:
	.quad 123456789012345
