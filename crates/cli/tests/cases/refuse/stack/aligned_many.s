# A function that is called through a pointer aligns its frame and reads 129 words of stack arguments; the limit is 128.
//@ export: Run run
	.type run,@function
run:
	sub rsp, 1048
	call [rip+function]
	add rsp, 1048
	ret
	.globl last
	.type last,@function
last:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	mov rax, [rbp+16+8*128]
	leave
	ret
	.section .data.function,"aw",@progbits
	.p2align 3
function:
	.quad last
