# Code overwrites the return address on the stack, which Go's unwinder may read at any time.
//@ export: A_Plain plain
//@ export: B_Part part
//@ export: C_Exchange exchange
//@ export: D_Atomic atomic
//@ export: E_Wide wide
	.type plain,@function
plain:
	mov rax, [rsp]
	mov qword ptr [rsp], 0
	mov [rsp], rax
	ret
	.type part,@function
part:
	push rbp
	mov rbp, rsp
	mov byte ptr [rbp + 15], 0
	pop rbp
	ret
	.type exchange,@function
exchange:
	xchg [rsp], rax
	xchg [rsp], rax
	ret
	.type atomic,@function
atomic:
	sub rsp, 24
	lock inc dword ptr [rsp + 24]
	add rsp, 24
	ret
	.type wide,@function
wide:
	movups [rsp - 8], xmm0
	ret
