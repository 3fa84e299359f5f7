# Instructions use SP and a static while every other register is in use: pushing a register around the instruction would change the value
# of SP that it stores or compares.
//@ export: A_Store store
//@ export: B_Compare compare
//@ export: C_Push pushes
	.macro pushed
	push qword ptr [rip+kept]
	lea rsp, [rsp+8]
	.endm
	.macro all, instruction:vararg
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	mov rax, [rdi]
	.irp r, rbx, rcx, rdx, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	lea \r, [rax+rax*2]
	.endr
	\instruction
	.irp r, rbx, rcx, rdx, rbp, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	add rax, \r
	.endr
	mov [rsi], rax
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	ret
	.endm

	.type store,@function
store:
	all mov [rip+kept], rsp
	.type compare,@function
compare:
	all cmp rsp, [rip+kept]
	.type pushes,@function
pushes:
	all pushed

	.section .bss.kept,"aw",@nobits
	.p2align 3
kept:
	.zero 8
