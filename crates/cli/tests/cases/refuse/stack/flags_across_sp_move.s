# Flags that are set before SP moves and read after it, by an instruction that cannot be repeated there, and a move too
# large for pushes and pops.
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
