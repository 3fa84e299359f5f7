# A function that is called through a pointer aligns its frame beyond 16 bytes and receives a value in r11. The entry that aligns the stack
# for this function uses r11 for its jump.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	lea rcx, [rip + wide]
	test al, 1
	cmove rcx, [rip + pointer]
	mov r11, 7
	call rcx
	mov [rbx], rax
	pop rbx
	ret

	.section .text.wide,"ax",@progbits
	.type wide,@function
wide:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	add rax, r11
	leave
	ret
	.section .data.rel.ro.pointer,"aw",@progbits
	.balign 8
pointer: .quad wide
