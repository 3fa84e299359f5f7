# Zero-initialised statics that need more alignment than Go provides: the low bits of their addresses, their contents before and after
# writes, several in one section, accesses between instructions that set and read flags, accesses with every register in use.
//@ goldens: lower
//@ export: Run run
//@ export: Between between
//@ export: Full full
//@ export: Wide wide
	.macro rest symbol, mask
	lea rcx, [rip+\symbol]
	and ecx, \mask
	add rax, rcx
	.endm
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	mov rax, [rip+lanes+8]
	not rax
	mov rdx, [rdi]
	mov [rip+lanes+8], rdx
	add [rip+lanes], rdx
	lock xadd [rip+lanes+56], rdx
	lea r8, [rip+lanes]
	add rdx, [r8+56]
	xor rdx, [r8]
	lea r9, [rip+second+8]
	inc qword ptr [r9]
	add rdx, [rip+second+8]
	push qword ptr [rip+second+8]
	pop r10
	add rax, r10
	add rax, rdx
	rest lanes, 63
	rest second, 127
	rest second+8, 127
	rest kilo, 1023
	rest page, 4095
	rest huge, 65535
	lea r9, [rip+page+5000]
	mov r10, [r9]
	mov [r9], rax
	add rax, r10
	add rax, [rip+page+5000]
	add rax, [rip+page]
	add [rip+kilo+1016], eax
	add rax, [rip+kilo+1016]
	mov byte ptr [rip+huge+70000], al
	movzx ecx, byte ptr [rip+huge+70000]
	add rax, rcx
	add rax, [rip+lanes+8]
	mov [rsi], rax
	xor eax, eax
	mov [rip+lanes], rax
	mov [rip+lanes+8], rax
	mov [rip+lanes+56], rax
	mov [rip+second+8], rax
	mov [rip+page+5000], rax
	mov [rip+kilo+1016], rax
	ret
# The address is made between the comparison and the instructions that read its flags.
	.section .text.between,"ax",@progbits
	.type between,@function
between:
	mov rax, [rdi]
	cmp rax, 100
	mov rdx, [rip+page+8]
	lea r8, [rip+lanes+16]
	mov [rip+page+8], rax
	jb 2f
	seto cl
	mov [r8], rax
	lea rax, [rax+rdx]
	add rax, 1000
2:	adc rax, [r8]
	mov [rsi], rax
	mov qword ptr [r8], 0
	mov qword ptr [rip+page+8], 0
	ret
# No register is free.
	.section .text.full,"ax",@progbits
	.type full,@function
full:
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	mov rax, [rdi]
	.irp reg, rbx, rcx, rdx, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	lea \reg, [rax+8]
	.endr
	mov rdi, rax
	add [rip+kilo+512], rax
	add rax, [rip+kilo+512]
	sub [rip+kilo+512], rdi
	.irp reg, rbx, rcx, rdx, rbp, r8, r9, r10, r11, r12, r13, r14, r15, rdi
	add rax, \reg
	ror rax, 7
	.endr
	mov [rsi], rax
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	ret
# Operands that must be aligned, a page of zeros that nothing writes to, and constants with the largest alignment.
	.section .text.wide,"ax",@progbits
	.type wide,@function
wide:
	movq xmm0, [rdi]
	movaps [rip+second+16], xmm0
	paddq xmm0, [rip+second+16]
	movq rax, xmm0
	lea rcx, [rip+empty]
	mov edx, ecx
	and edx, 4095
	add rax, rdx
	add rax, [rcx+4088]
	lea rcx, [rip+constants]
	mov edx, ecx
	and edx, 2047
	add rax, rdx
	add rax, [rcx+2040]
	mov [rsi], rax
	ret

	.section .bss.lanes,"aw",@nobits
	.p2align 6
lanes:
	.zero 64
	.p2align 7
second:
	.zero 64
	.section .data.kilo,"aw",@progbits
	.p2align 10
kilo:
	.zero 1024
	.section .bss.page,"aw",@nobits
	.p2align 12
page:
	.zero 8192
	.section .bss.huge,"aw",@nobits
	.p2align 16
huge:
	.zero 70008
	.section .rodata.empty,"a",@progbits
	.p2align 12
empty:
	.zero 4096
	.section .rodata.constants,"a",@progbits
	.p2align 11
constants:
	.zero 2040
	.quad 3
