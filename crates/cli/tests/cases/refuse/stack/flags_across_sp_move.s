# SP moves between an instruction that sets flags and one that reads them. The first cannot be repeated after the move, and the move is
# too large for pushes and pops.
//@ export: Run run
	.type run,@function
run:
	sub rsp, 600
	mov rax, [rdi]
	add rax, rax
	lea rsp, [rsp+600]
	adc rax, 7
	mov [rsi], rax
	ret
