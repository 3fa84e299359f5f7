// A cycle of tail jumps: the stack does not grow, so no budget is needed.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	ldr x8, [x0]
	mov x9, xzr
	b ping

	.section .text.ping,"ax",@progbits
	.type ping,@function
ping:
	add x9, x9, #2
	lsr x8, x8, #1
	cbnz x8, pong
	str x9, [x1]
	ret

	.type pong,@function
pong:
	add x9, x9, #5
	lsr x8, x8, #2
	cbnz x8, ping
	str x9, [x1]
	ret
