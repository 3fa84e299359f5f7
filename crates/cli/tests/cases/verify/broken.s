# What tests/verify.rs breaks: frames, an early return, calls, a tail jump, constants, statics and pointers; one entry that
# checks the stack and one that does not.
# export Framed framed
# export Fused fused
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
