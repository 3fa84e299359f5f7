# A pointer to a function that aligns its frame and reads an argument on the stack by its number.
# export Run run
	.type run,@function
run:
	sub rsp, 8
	push rdi
	push rdi
	call [rip+function]
	add rsp, 24
	ret
	.globl nth
	.type nth,@function
nth:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	and edi, 1
	mov rax, [rbp+8*rdi+16]
	leave
	ret
	.section .data.function,"aw",@progbits
	.p2align 3
function:
	.quad nth
