# Bits of statics by a number in a register, some outside the word that the operand names: tables of bits, and `fetch_or(1 << n)`.
//@ goldens: lower
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	movzx ecx, al
	xor edx, edx
	bt [rip+table], ecx
	adc rdx, rdx
	mov r8, rcx
	xor r8, 77
	bt qword ptr [rip+table], r8
	adc rdx, rdx
	bt word ptr [rip+table], cx
	adc rdx, rdx
	lock bts [rip+set], rcx
	adc rdx, rdx
	bts dword ptr [rip+set], r8d
	adc rdx, rdx
	lock btc [rip+set+8], r8
	adc rdx, rdx
	mov r9, [rip+set]
	rol r9, 5
	add r9, [rip+set+8]
	rol r9, 7
	add r9, [rip+set+16]
	rol r9, 11
	add r9, [rip+set+24]
	rol r9, 13
	add r9, [rip+set+32]
	lock btr qword ptr [rip+set], rcx
	adc rdx, rdx
	btr [rip+set], r8
	adc rdx, rdx
	lock btc [rip+set+8], r8
	adc rdx, rdx
	add rdx, r9
	mov [rsi], rdx
	ret

	.section .rodata.table,"a",@progbits
	.p2align 3
table:
	.quad 0x0123456789abcdef, 0xfedcba9876543210, 0xa5a5a5a55a5a5a5a, 0x13579bdf02468ace
	.section .bss.set,"aw",@nobits
	.p2align 3
set:
	.zero 40
