# A leaf function that uses the red zone: its 128 bytes count as stack.
# goldens analyze
# export Run run
	.type run,@function
run:
	push rsi
	mov rax, [rdi]
	call leaf
	pop rsi
	mov [rsi], rax
	ret
	.type leaf,@function
leaf:
	mov [rsp-8], rax
	mov [rsp-120], rax
	add rax, [rsp-8]
	add rax, [rsp-120]
	ret
