# gcc's cold fragments: jumps and tables lead to them, with a frame and without, and they jump back.
//@ goldens: decode analyze lower
//@ export: Run run
.att_syntax
	.text
	.section	.text.unlikely,"ax",@progbits
	.type	slow, @function
slow:
	imulq	$7, %rdi, %rax
	incq	%rax
	ret
	.text
	.p2align 4
	.type	work, @function
work:
	movq	%rdi, -8(%rsp)
	movq	-8(%rsp), %rax
	addq	$3, %rax
	ret
	.section	.text.unlikely
.LCOLDB0:
	.text
.LHOTB0:
	.p2align 4
	.type	sw2, @function
sw2:
	leaq	.L7(%rip), %rdx
	andl	$7, %edi
	movslq	(%rdx,%rdi,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
	.section	.rodata
	.align 4
	.align 4
.L7:
	.long	.L5-.L7
	.long	.L13-.L7
	.long	.L12-.L7
	.long	.L11-.L7
	.long	.L10-.L7
	.long	.L9-.L7
	.long	.L8-.L7
	.long	.L6-.L7
	.text
	.p2align 4,,10
	.p2align 3
.L6:
	movabsq	$-6148914691236517205, %rax
	mulq	%rsi
	movq	%rdx, %rax
	shrq	%rax
	ret
	.p2align 4,,10
	.p2align 3
.L13:
	leaq	(%rsi,%rsi,2), %rax
	ret
	.p2align 4,,10
	.p2align 3
.L12:
	movq	%rsi, %rax
	xorq	$77, %rax
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	leaq	-9(%rsi), %rax
	ret
	.p2align 4,,10
	.p2align 3
.L9:
	movq	%rsi, %rdi
	call	work
	addq	$4, %rax
	ret
	.p2align 4,,10
	.p2align 3
.L8:
	movq	%rsi, %rax
	imulq	%rsi, %rax
	ret
.L5:
	leaq	10(%rsi), %rax
	ret
	.section	.text.unlikely
	.type	sw2.cold, @function
sw2.cold:
.L11:
	movq	%rsi, %rdi
	call	slow
	addq	$2, %rax
	ret
	.text
	.section	.text.unlikely
.LCOLDE0:
	.text
.LHOTE0:
	.section	.text.unlikely
.LCOLDB2:
	.text
.LHOTB2:
	.p2align 4
	.globl	run
	.type	run, @function
run:
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	movq	%rsi, %rbx
	subq	$40, %rsp
	movq	(%rdi), %r12
	movdqa	.LC1(%rip), %xmm0
	movq	%r12, %rdi
	movaps	%xmm0, (%rsp)
	movq	%r12, %rbp
	movaps	%xmm0, 16(%rsp)
	andl	$3, %ebp
	call	work
	movq	%rax, %r13
	movabsq	$-2049638230412172401, %rax
	mulq	%r12
	movq	%rdx, %rax
	andq	$-8, %rdx
	shrq	$3, %rax
	addq	%rax, %rdx
	movq	%r12, %rax
	subq	%rdx, %rax
	cmpq	$7, %rax
	ja	.L16
	leaq	.L18(%rip), %rdx
	movslq	(%rdx,%rax,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
	.section	.rodata
	.align 4
	.align 4
.L18:
	.long	.L25-.L18
	.long	.L24-.L18
	.long	.L23-.L18
	.long	.L22-.L18
	.long	.L21-.L18
	.long	.L20-.L18
	.long	.L19-.L18
	.long	.L17-.L18
	.text
	.p2align 4,,10
	.p2align 3
.L19:
	shrq	$2, %r13
	.p2align 4,,10
	.p2align 3
.L26:
	movq	%r12, %rdi
	leaq	(%rsp,%rbp,8), %rax
	movq	%r12, %rsi
	shrq	$3, %rdi
	movq	(%rax), %rbp
	call	sw2
	addq	%r13, %rax
	addq	%rbp, %rax
	movq	%rax, %rdx
	andl	$3, %edx
	cmpq	$1, %rdx
	je	.L34
.L27:
	movq	%rax, %rdx
	andl	$5, %edx
	cmpq	$4, %rdx
	je	.L37
.L28:
	movq	%rax, (%rbx)
	addq	$40, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	ret
	.p2align 4,,10
	.p2align 3
.L25:
	addq	$10, %r13
	jmp	.L26
	.p2align 4,,10
	.p2align 3
.L24:
	leaq	0(%r13,%r13,2), %r13
	jmp	.L26
	.p2align 4,,10
	.p2align 3
.L23:
	xorq	$77, %r13
	movq	%r13, %rdi
	call	work
	addq	%rax, %r13
	jmp	.L26
	.p2align 4,,10
	.p2align 3
.L21:
	subq	$5, %r13
	jmp	.L26
	.p2align 4,,10
	.p2align 3
.L20:
	imulq	%r13, %r13
	jmp	.L26
.L16:
	notq	%r13
	jmp	.L26
	.p2align 4,,10
	.p2align 3
.L37:
	testb	$7, %al
	jne	.L35
	movq	%rax, (%rbx)
	addq	$40, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	ret
	.section	.text.unlikely
	.type	run.cold, @function
run.cold:
.L34:
	movq	%rax, %rdi
	call	slow
	addq	%rax, %r12
	movq	%r12, %rdi
	call	work
	addq	%r12, %rax
	jmp	.L27
.L22:
	movq	%r13, %rdi
	call	slow
	leaq	(%r12,%rax), %r13
	jmp	.L26
.L17:
	movq	%r13, %rdi
	call	slow
	addq	%rax, %r13
	jmp	.L16
.L35:
	xorl	%ebp, %ebp
.L29:
	movq	%rax, %rdi
	call	slow
	addq	%rbp, %rax
	addq	$1, %rbp
	movq	%rax, %rdx
	andl	$7, %edx
	cmpq	%rdx, %rbp
	jnb	.L28
	jmp	.L29
	.text
	.section	.text.unlikely
.LCOLDE2:
	.text
.LHOTE2:
	.section	.rodata.cst16,"aM",@progbits,16
	.align 16
.LC1:
	.quad	9
	.quad	9
