# Loops step down from SP through the red zone, by a pointer and by an index: no instruction shows how far.
//@ export: Run run
//@ export: Run2 run2
	.type run,@function
run:
	push rsi
	mov rax, [rdi]
	mov rdi, -1
	call digits
	pop rsi
	mov [rsi], rax
	ret
	.section .text.digits,"ax",@progbits
	.type digits,@function
digits:
	mov	rax, rdi
	mov	rdx, rsp
.L2:
	mov	rcx, rax
	sub	rdx, 8
	and	ecx, 31
	shr	rax, 5
	mov	QWORD PTR [rdx], rcx
	jne	.L2
.L3:
	cmp	rdx, rsp
	je	.L7
	add	rdx, 8
	imul	rax, rax, 77
	add	rax, QWORD PTR [rdx-8]
	jmp	.L3
.L7:
	ret
	.section .text.run2,"ax",@progbits
	.type run2,@function
run2:
	push rsi
	mov rax, [rdi]
	mov rdi, -1
	call digits2
	pop rsi
	mov [rsi], rax
	ret
	.section .text.digits2,"ax",@progbits
	.type digits2,@function
digits2:
	xor	ecx, ecx
	mov	rdx, rdi
.LBB2_1:                                # =>This Inner Loop Header: Depth=1
	mov	eax, edi
	and	eax, 31
	mov	qword ptr [rsp + rcx - 16], rax
	shr	rdx, 5
	add	rcx, -8
	cmp	rdi, 31
	mov	rdi, rdx
	ja	.LBB2_1
	test	rcx, rcx
	je	.LBB2_3
.LBB2_5:                                # =>This Inner Loop Header: Depth=1
	cmp	rcx, -8
	je	.LBB2_6
	imul	rax, rax, 77
	add	rax, qword ptr [rsp + rcx]
	add	rcx, 8
	jmp	.LBB2_5
.LBB2_6:
	ret
.LBB2_3:
	ret
