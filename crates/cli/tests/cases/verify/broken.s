# tests/all/verify puts faults into this program: frames, an early return, calls, a tail jump, constants, statics and pointers; an entry that
# checks the stack and one that does not; recursion; a pointer to a function that aligns its frame; a pointer to such a function with 13 words
# of arguments, for which an entry leaves room; a call on the way to a panic that aligns the stack; a panic.
//@ export: Framed framed
//@ export: Fused fused
//@ export: Recursive recursive 8192
//@ export: Wide wide
//@ export: Loose loose
//@ export: Long long_double
//@ export: Told told blocking
//@ export: Over told over=800
	.type framed,@function
framed:
	push rbx
	push r12
	sub rsp, 2008
	mov rbx, rsi
	mov rax, [rdi]
	mov [rsp], rax
	test rax, rax
	je 2f
	call walk
	movq xmm0, rax
	pxor xmm0, xmmword ptr [rip+mask]
	movq rax, xmm0
	mov [rbx], rax
	add rsp, 2008
	pop r12
	pop rbx
	ret
2:	lea rcx, [rip+handlers]
	mov rcx, [rcx+8]
	add qword ptr [rip+counter], 1
	mov [rbx], rcx
	add rsp, 2008
	pop r12
	pop rbx
	ret
	.type told,@function
told:
	mov rax, [rdi]
	mov [rsi], rax
	ret
	.type long_double,@function
long_double:
	mov rax, [rdi]
	mov [rsi], rax
	fild qword ptr [rsi]
	fld1
	faddp st(1), st
	fistp qword ptr [rsi]
	ret
	.type recursive,@function
recursive:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	cmp rax, -9
	je 5f
	and eax, 15
	call sum
	mov [rbx], rax
	pop rbx
	ret
5:	call rustgo_panic@PLT
	ud2
	.type wide,@function
wide:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	lea rdx, [rip+chosen]
	call [rdx]
	push rax
	push rax
	call [rdx+8]
	add rsp, 16
	mov [rbx], rax
	pop rbx
	ret
	.type loose,@function
loose:
	mov rax, [rdi]
	cmp rax, -9
	je 6f
	mov [rsi], rax
	ret
6:	push rax
	call tell
	ud2

	.section .text.tell,"ax",@progbits
	.globl tell
	.type tell,@function
tell:
	sub rsp, 24
	lea rdi, [rsp+8]
	call rustgo_panic@PLT
	ud2

	.section .text.sum,"ax",@progbits
	.type sum,@function
sum:
	test rax, rax
	je 4f
	push rax
	dec rax
	call sum
	pop rcx
	add rax, rcx
4:	ret

	.section .text.aligns,"ax",@progbits
	.globl aligns
	.type aligns,@function
aligns:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	movaps xmmword ptr [rsp], xmm0
	inc rax
	mov rsp, rbp
	pop rbp
	ret

	.section .text.takes,"ax",@progbits
	.globl takes
	.type takes,@function
takes:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	mov rax, [rbp+16]
	add rax, [rbp+24]
	mov rsp, rbp
	pop rbp
	ret

	.section .text.takes_many,"ax",@progbits
	.globl takes_many
	.type takes_many,@function
takes_many:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	mov rax, [rbp+16]
	add rax, [rbp+112]
	mov rsp, rbp
	pop rbp
	ret

	.section .text.walk,"ax",@progbits
	.globl walk
	.type walk,@function
walk:
	push rbx
	mov rbx, rax
	cmp rax, 9
	jb 3f
	call leaf
	add rax, rbx
	pop rbx
	ret
3:	sub rsp, 32
	mov [rsp+8], rax
	call leaf
	add rax, [rsp+8]
	add rsp, 32
	pop rbx
	jmp leaf@PLT

	.section .text.leaf,"ax",@progbits
	.globl leaf
	.type leaf,@function
leaf:
	lea rax, [rax+rax*2]
	ret

	.section .text.fused,"ax",@progbits
	.globl fused
	.type fused,@function
fused:
	mov rax, [rdi]
	push rax
	pop rcx
	mov [rsi], rcx
	ret

	.section .text.rustgo_format_panic,"ax",@progbits
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	ret

	.section .rodata.mask,"a",@progbits
	.p2align 4
mask:
	.quad 0x0123456789abcdef, 0x1122334455667788
	.section .data.rel.ro.handlers,"aw",@progbits
	.p2align 3
handlers:
	.quad 77
	.quad leaf
	.section .data.counter,"aw",@progbits
	.p2align 3
counter:
	.quad 41
	.section .data.chosen,"aw",@progbits
	.p2align 3
chosen:
	.quad aligns
	.quad takes
	.quad takes_many
