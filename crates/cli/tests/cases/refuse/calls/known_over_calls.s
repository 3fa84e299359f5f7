# SP is restored from r10 after a call. One callee changes r10 on one of its paths; the other callee is unknown and may change r10.
//@ export: A_Changed changed
//@ export: B_Unknown unknown
	.type changed,@function
changed:
	push rbx
	mov rdi, [rdi]
	mov r10, rsp
	call changes
	mov rsp, r10
	pop rbx
	ret
	.type changes,@function
changes:
	test rdi, rdi
	jz last@PLT
	ret
	.type unknown,@function
unknown:
	push rbx
	mov r10, rsp
	lea rax, [rip + table]
	mov rcx, [rdi]
	call [rax + rcx*8]
	mov rsp, r10
	pop rbx
	ret
	.section .text.last,"ax",@progbits
	.globl last
	.type last,@function
last:
	mov r10, rdi
	ret
	.section .data.table,"aw",@progbits
	.balign 8
table:	.quad changes
