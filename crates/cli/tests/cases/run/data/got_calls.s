# Calls through the GOT, some with the cell's content hoisted into a register, and data addressed through the GOT.
//@ goldens: decode analyze lower
//@ export: Run run
	.type run,@function
run:
	push r14
	push rbx
	push rsi
	mov rbx, [rip+helper@GOTPCREL]
	mov r14, [rip+table@GOTPCREL]
	mov rax, [rdi]
	call rbx
	call rbx
	call [rip+helper@GOTPCREL]
	mov ecx, eax
	and ecx, 3
	add rax, [r14+rcx*8]
	pop rsi
	mov [rsi], rax
	pop rbx
	pop r14
	ret

	.section .text.helper,"ax",@progbits
	.globl helper
	.type helper,@function
helper:
	lea rax, [rax+rax*4+1]
	ret

	.section .rodata.table,"a",@progbits
	.globl table
	.p2align 3
table:
	.quad 11, 222, 3333, 44444
