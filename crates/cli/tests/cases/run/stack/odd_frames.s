# Frames whose size is not a multiple of 8, as LLVM makes them for leaf functions: operands on SP, addresses made from SP, pushes, a frame
# pointer, and SP moved between setting flags and reading them. A fault in one frame is recovered while Go's stack grows and its collector runs.
//@ goldens: analyze lower
//@ export: Byte one_byte
//@ export: Faults faults
//@ export: Addresses addresses
//@ export: Pushes pushes
//@ export: FramePointer frame_pointer
//@ export: Wide large
//@ export: Flags over_flags
//@ export: Arguments arguments
//@ export: PushesMemory pushes_memory
//@ export: Sums sums
	.type one_byte,@function
one_byte:
	sub rsp, 1
	mov rax, [rdi]
	mov byte ptr [rsp], al
	movzx ecx, byte ptr [rsp]
	lea rax, [rax+rcx*4]
	mov [rsi], rax
	add rsp, 1
	ret
	.type faults,@function
faults:
	sub rsp, 1
	mov rax, [rdi]
	mov byte ptr [rsp], al
	cmp rax, -1
	je 1f
	movzx eax, byte ptr [rsp]
	mov [rsi], rax
	add rsp, 1
	ret
1:	xor eax, eax
	mov rax, [rax]
	ud2
	.type addresses,@function
addresses:
	sub rsp, 27
	mov rax, [rdi]
	lea rcx, [rsp+3]
	mov rdx, rsp
	mov r8, rsp
	mov [rcx], rax
	mov word ptr [rdx], ax
	mov byte ptr [r8+2], 7
	mov r9d, eax
	and r9d, 15
	mov byte ptr [rsp+r9+11], 9
	movzx r10d, byte ptr [rsp+r9+11]
	mov r11, [rsp+2]
	sub rdx, rcx
	add r11, rdx
	add r11, r10
	add r11w, word ptr [rsp]
	lea rdx, [rsp+27]
	sub rdx, rcx
	add r11, rdx
	mov [rsi], r11
	lea rsp, [rsp+27]
	ret
	.type sums,@function
sums:
	sub rsp, 13
	mov rax, [rdi]
	mov [rsp], rax
	mov dword ptr [rsp+8], 0x01020304
	mov byte ptr [rsp+12], 5
	mov ecx, eax
	and ecx, 7
	add rcx, rsp
	movzx edx, byte ptr [rcx+2]
	lea r8, [rsp+11]
	sub r8, rsp
	mov r9d, 4
	add r9, rsp
	mov r9d, [r9]
	lea rax, [r8+rdx]
	add rax, r9
	mov [rsi], rax
	add rsp, 13
	ret
	.type pushes,@function
pushes:
	sub rsp, 3
	mov rax, [rdi]
	mov word ptr [rsp+1], ax
	push rbx
	push rsi
	push 77
	test rax, rax
	pushfq
	pop rcx
	sub rsp, 2
	mov rbx, rax
	push rbx
	imul rbx, rbx, 31
	pop rdx
	add rsp, 2
	pop rcx
	pop rsi
	add rcx, rbx
	pop rbx
	add rcx, rdx
	add cx, word ptr [rsp+1]
	mov [rsi], rcx
	add rsp, 3
	ret
	.type frame_pointer,@function
frame_pointer:
	push rbp
	sub rsp, 21
	mov rbp, rsp
	mov rax, [rdi]
	mov [rbp+1], rax
	mov byte ptr [rsp+9], 3
	mov rcx, [rbp+2]
	sub rsp, 11
	mov [rbp-3], al
	add cl, byte ptr [rsp+8]
	lea rsp, [rbp+21]
	mov [rsi], rcx
	pop rbp
	push rbp
	mov rbp, rsp
	sub rsp, 5
	mov byte ptr [rsp+2], cl
	add byte ptr [rbp-3], 7
	movzx ecx, byte ptr [rsp+2]
	add [rsi], rcx
	leave
	ret
	.type large,@function
large:
	sub rsp, 1033
	mov rax, [rdi]
	movq xmm0, rax
	movups [rsp+1017], xmm0
	movups [rsp+120], xmm0
	movq xmm1, qword ptr [rsp+1017]
	paddq xmm1, xmm0
	movq [rsi], xmm1
	add rsp, 1033
	ret
	.type over_flags,@function
over_flags:
	mov rax, [rdi]
	xor ecx, ecx
	cmp rax, 100
	lea rsp, [rsp-13]
	mov byte ptr [rsp+12], 5
	setb cl
	cmp rax, 1000
	movzx edx, byte ptr [rsp+12]
	lea rsp, [rsp+13]
	adc rcx, rdx
	mov [rsi], rcx
	ret
	.type pushes_memory,@function
pushes_memory:
	sub rsp, 41
	mov rax, [rdi]
	mov [rsp+25], rax
	push qword ptr [rsp+25]
	pop rcx
	add rcx, 3
	mov [rsi], rcx
	add rsp, 41
	ret
	.type arguments,@function
arguments:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	push rax
	push 5
	call takes
	add rsp, 16
	mov [rbx], rax
	pop rbx
	ret

	.section .text.takes,"ax",@progbits
	.type takes,@function
takes:
	sub rsp, 9
	mov rax, [rsp+17]
	mov [rsp+1], rax
	add rax, [rsp+25]
	add rax, [rsp+1]
	add rsp, 9
	ret
