# A call with SP where no compiler has it, of a function that stores to its frame with an aligned instruction.
# export Run run
	.type run,@function
run:
	call wide
	mov [rsi], rax
	ret
	.section .text.wide,"ax",@progbits
	.type wide,@function
wide:
	sub rsp, 24
	movaps xmmword ptr [rsp], xmm0
	mov rax, [rsp]
	add rsp, 24
	ret
