# A function that is called through a pointer receives no value in r11, pushes r11 at its start and pops it at its end. So the stack check
# before the function may use r11. Another caller keeps a value in r11 over a call of this function, which restores r11.
//@ goldens: lower
//@ export: Pointer by_pointer
//@ export: Neighbour neighbour
	.type by_pointer,@function
by_pointer:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	and eax, 1
	lea rcx, [rip+table]
	mov rdi, [rdi]
	call [rcx+rax*8]
	mov [rbx], rax
	pop rbx
	ret

	.type neighbour,@function
neighbour:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	mov r11, 1000
	call gives_back
	add rax, r11
	mov [rbx], rax
	pop rbx
	ret

	.type gives_back,@function
gives_back:
	push r10
	push r11
	lea r11, [rdi+rdi*2]
	sub rsp, 16
	mov [rsp], r11
	mov r10, [rsp]
	add rsp, 16
	lea rax, [r10+1]
	pop r11
	pop r10
	ret

	.type countdown,@function
countdown:
	push rbx
	mov rbx, rdi
	and rdi, 7
	je 1f
	dec rdi
	lea rcx, [rip+table]
	and ebx, 1
	call [rcx+rbx*8]
	inc rax
	pop rbx
	ret
1:	mov eax, 5
	pop rbx
	ret

	.section .data.rel.ro.table,"aw",@progbits
	.p2align 3
table:
	.quad gives_back
	.quad countdown
