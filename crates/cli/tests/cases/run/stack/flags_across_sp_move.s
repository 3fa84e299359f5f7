# SP moves between setting flags and reading them. The instruction that sets them can be repeated after the move, or cannot, or
# preserves some flags, or has an operand that has changed since, or is on one path only. Also a shift by zero, which sets no flags, and
# an x87 comparison that pops.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, [rdi]
	cmp rbx, 50
	lea rsp, [rsp-32]
	mov rax, [rip+value]
	mov [rsp], rbx
	jb 2f
	add rax, [rsp]
2:	test bl, 8
	lea rsp, [rsp+32]
	setne cl
	movzx ecx, cl
	add rax, rcx
	mov rcx, [rdi]
	add rcx, rcx
	lea rsp, [rsp-24]
	adc rax, 7
	sub rcx, rax
	lea rsp, [rsp+24]
	sbb rax, 3
	sub rsp, 600
	mov [rsp], rax
	test rcx, rcx
	lea rsp, [rsp+600]
	js 3f
	inc rax
3:	bt rax, 5
	inc rcx
	lea rsp, [rsp-16]
	adc rax, 0
	setz cl
	lea rsp, [rsp+16]
	movzx ecx, cl
	add rax, rcx
	mov rbx, [rdi]
	cmp rbx, 50
	not rbx
	lea rsp, [rsp-32]
	setb cl
	lea rsp, [rsp+32]
	not rbx
	movzx ecx, cl
	lea rax, [rcx+rax*2]
	bt rbx, 0
	jc 4f
	cmp rbx, 60
4:	lea rsp, [rsp-32]
	setb cl
	lea rsp, [rsp+32]
	movzx ecx, cl
	lea rax, [rcx+rax*2]
	mov edx, 5
	xor ecx, ecx
	cmp rbx, 70
	lea rsp, [rsp-32]
	shl rdx, cl
	lea rsp, [rsp+32]
	adc rax, rdx
	xor ecx, ecx
	mov edx, 6
	cmp rbx, 80
	lea rsp, [rsp-32]
	.byte 0x48, 0xd3, 0xf2	# sal rdx, cl, by the encoding that assemblers do not write
	lea rsp, [rsp+32]
	adc rax, rdx
	sub rsp, 24
	mov [rsp], rbx
	mov qword ptr [rsp+8], 50
	fild qword ptr [rsp]
	fild qword ptr [rsp+8]
	fucomip st, st(1)
	lea rsp, [rsp+24]
	setb cl
	sub rsp, 24
	fistp qword ptr [rsp]
	add rax, [rsp]
	add rsp, 24
	movzx ecx, cl
	lea rax, [rcx+rax*2]
	pop rbx
	mov [rsi], rax
	ret

	.section .data.value,"aw",@progbits
	.p2align 3
value:
	.quad 4711
