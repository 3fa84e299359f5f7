# A cycle of tail jumps: the stack does not grow, so no budget is needed.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	xor ecx, ecx
	jmp ping@PLT

	.section .text.ping,"ax",@progbits
	.globl ping
	.type ping,@function
ping:
	add rcx, 2
	shr rax, 1
	jne pong@PLT
	mov [rsi], rcx
	ret

	.section .text.pong,"ax",@progbits
	.globl pong
	.type pong,@function
pong:
	add rcx, 5
	shr rax, 2
	jne ping@PLT
	mov [rsi], rcx
	ret
