# Tables of several functions and an array in one section, without gaps between them, and constants that the code reads.
//@ goldens: analyze lower
//@ export: A_Masked masked
//@ export: B_Compared compared
//@ export: C_Unoptimized unoptimized
# No comparison bounds the first table. The function's second table follows directly; its entries, read as entries of the first table, would
# be places in the function too.
	.globl masked
masked:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip+.Lfirst]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lm0:
	xor rax, 10
.Lm1:
	mov ecx, eax
	shr ecx, 1
	and ecx, 1
	lea rdx, [rip+.Lsecond]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
	.rept 8
	nop
	.endr
.Lm2:
	inc rax
	.rept 8
	nop
	.endr
.Lm3:
	mov [rsi], rax
	ret
# The word before the array's first element is the table's last entry; the comparison shows that the table includes it.
	.globl compared
compared:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 7
	lea r8, [rip+array-4]
	movsxd r9, dword ptr [r8+rcx*4+4]
	add rax, r9
	cmp ecx, 2
	ja .Lother
	lea rdx, [rip+.Lthird]
	mov ecx, ecx
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lc0:
	add rax, 3
.Lc1:
	add rax, 300
.Lc2:
	mov [rsi], rax
	ret
.Lother:
	not rax
	mov [rsi], rax
	ret
# As gcc compiles it without optimisation.
	.globl unoptimized
unoptimized:
	push rbp
	mov rbp, rsp
	mov rax, [rdi]
	and eax, 1
	lea rdx, [0+rax*4]
	lea rax, [rip+.Lfourth]
	mov eax, [rdx+rax]
	cdqe
	lea rdx, [rip+.Lfourth]
	add rax, rdx
	notrack jmp rax
.Lu0:
	mov qword ptr [rsi], 4
	pop rbp
	ret
.Lu1:
	mov qword ptr [rsi], 5
	pop rbp
	ret
# Nothing reaches this function, so nothing needs its table.
	.globl unused
unused:
	lea rdx, [rip+.Lfifth]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lv0:
	ret

	.section .rodata,"a",@progbits
	.p2align 2
.Lfirst:
	.long .Lm0-.Lfirst
	.long .Lm1-.Lfirst
.Lsecond:
	.long .Lm2-.Lsecond
	.long .Lm3-.Lsecond
.Lfourth:
	.long .Lu0-.Lfourth
	.long .Lu1-.Lfourth
.Lfifth:
	.long .Lv0-.Lfifth
.Lthird:
	.long .Lc0-.Lthird
	.long .Lc1-.Lthird
	.long .Lc2-.Lthird
array:
	.long 7, -9, 11, 13, 1, 2, 3, 4
