# Jumps to table entries in forms that are not recognised: entries of two tables meet, or the sum is made in other ways. The program takes
# a function's address, but none of the jumps goes to that function.
//@ export: A_Joined run
//@ export: B_Lea by_lea
//@ export: C_Kept kept
	.globl run
run:
	mov rax, [rdi]
	lea rdx, [rip+.Lfirst]
	mov ecx, eax
	and ecx, 1
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.La:
	lea rdx, [rip+.Lsecond]
	mov ecx, eax
	shr ecx, 1
	and ecx, 1
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp rcx
.Lb:
	mov ecx, eax
	and ecx, 1
	test eax, 4
	je .Lelse
	lea rdx, [rip+.Lfirst]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
	jmp .Ljump
.Lelse:
	lea rdx, [rip+.Lsecond]
	movsxd rcx, dword ptr [rdx+rcx*4]
	add rcx, rdx
.Ljump:
	shr eax, 3
	jmp rcx
.Lc:
	lea rcx, [rip+other]
	mov [rsi], rcx
	mov [rsi], rax
	ret
	.macro table_jump table
	mov eax, [rdi]
	and eax, 1
	lea rdx, [rip+\table]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, rdx
	jmp rcx
	.endm
	.macro entry
	mov eax, [rdi+4]
	and eax, 1
	movsxd rcx, dword ptr [rdx+rax*4]
	.endm
	.globl by_lea
by_lea:
	table_jump .Lthird
.Ld:
	entry
	lea rcx, [rdx+rcx]
	jmp rcx
.Le:
	ret
	.globl kept
kept:
	table_jump .Lfourth
.Lf:
	mov [rsp-8], rdx
	entry
	add rcx, [rsp-8]
	jmp rcx
.Lg:
	ret
	.section .rodata.third,"a",@progbits
	.p2align 2
.Lthird:
	.long .Ld-.Lthird
	.long .Le-.Lthird
	.section .rodata.fourth,"a",@progbits
	.p2align 2
.Lfourth:
	.long .Lf-.Lfourth
	.long .Lg-.Lfourth
	.section .rodata.table,"a",@progbits
	.p2align 2
.Lfirst:
	.long .La-.Lfirst
	.long .Lc-.Lfirst
.Lsecond:
	.long .Lb-.Lsecond
	.long .Lc-.Lsecond
	.text
	.type other,@function
other:
	ret
