# Mutable statics: loads, stores, read-modify-write, xchg, cmpxchg, byte and word operands, with few registers free.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov [rip+value], rax
	add qword ptr [rip+value], 5
	inc dword ptr [rip+small]
	dec dword ptr [rip+small]
	mov word ptr [rip+small+4], 4660
	movzx ecx, word ptr [rip+small+4]
	mov rdx, [rip+value]
	xchg [rip+other], rdx
	mov rax, [rip+other]
	lock xadd [rip+value], rcx
	mov r8, 99
	lock cmpxchg [rip+other], r8
	setne r9b
	movzx r9d, r9b
	mov rax, [rip+value]
	add rax, rcx
	add rax, r9
	add rax, [rip+other]
	cmp byte ptr [rip+small+5], 18
	jne 2f
	add rax, 1
2:	mov [rsi], rax
	mov qword ptr [rip+value], 0
	mov qword ptr [rip+other], 0
	ret

	.section .bss.value,"aw",@nobits
	.p2align 3
value:
	.zero 8
	.section .bss.other,"aw",@nobits
	.p2align 3
other:
	.zero 8
	.section .data.small,"aw",@progbits
	.p2align 3
small:
	.long 7, 0
