# Branches without a long form (jrcxz, loop, loopne), and branches that outgrow their short form because lowering enlarges the code.
//@ goldens: decode lower
//@ export: Run run
	.type run,@function
run:
	mov rcx, [rdi]
	and ecx, 15
	xor eax, eax
	jrcxz 3f
2:	add rax, rcx
	add rax, [rdi]
	loop 2b
3:	mov ecx, 9
4:	inc rax
	cmp rax, 40
	loopne 4b
	test al, 1
	je 5f
	mov r8, [rip+a]
	mov [rip+a], rax
	mov r9, [rip+a]
	mov [rip+a], r8
	add rax, r9
	mov r8, [rip+a]
	mov [rip+a], rax
	mov r9, [rip+a]
	mov [rip+a], r8
	add rax, r9
	mov r8, [rip+a]
	mov [rip+a], rax
	mov r9, [rip+a]
	mov [rip+a], r8
	add rax, r9
5:	mov [rsi], rax
	ret

	.section .data.a,"aw",@progbits
	.p2align 3
a:	.quad 12
