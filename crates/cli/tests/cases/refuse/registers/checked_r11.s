# A recursive function receives a value in r11, which the stack check at its entry overwrites.
//@ export: Run run 16384
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	and r11d, 15
	xor eax, eax
	call countdown
	mov [rbx], rax
	pop rbx
	ret
	.type countdown,@function
countdown:
	push rax
	add rax, r11
	dec r11
	js 2f
	call countdown
2:	pop rcx
	ret
