# A pointer to a function that aligns its frame and makes an address of its arguments on the stack: how many there are is not known.
# export Run run
	.type run,@function
run:
	sub rsp, 8
	push rdi
	push rdi
	call middle
	add rsp, 24
	ret
	.globl middle
	.type middle,@function
middle:
	mov rax, [rip+function]
	jmp rax
	.globl all
	.type all,@function
all:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	lea rdi, [rbp+16]
	call sum
	leave
	ret
	.globl sum
	.type sum,@function
sum:
	mov rax, [rdi]
	add rax, [rdi+8]
	ret
	.section .data.function,"aw",@progbits
	.p2align 3
function:
	.quad all
