# A static is accessed while every register is in use. One register is saved around the access.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	mov rax, [rdi]
	lea rcx, [rax+1]
	lea rdx, [rax+2]
	lea rbx, [rax+3]
	lea rbp, [rax+4]
	lea r8, [rax+5]
	lea r9, [rax+6]
	lea r10, [rax+7]
	lea r11, [rax+8]
	lea r12, [rax+9]
	lea r13, [rax+10]
	lea r14, [rax+11]
	lea r15, [rax+12]
	add [rip+total], rax
	sub rax, [rip+total]
	add rax, rcx
	add rax, rdx
	add rax, rbx
	add rax, rbp
	add rax, r8
	add rax, r9
	add rax, r10
	add rax, r11
	add rax, r12
	add rax, r13
	add rax, r14
	add rax, r15
	add rax, rdi
	sub rax, rdi
	mov [rsi], rax
	mov qword ptr [rip+total], 0
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	ret

	.section .bss.total,"aw",@nobits
	.p2align 3
total:
	.zero 8
