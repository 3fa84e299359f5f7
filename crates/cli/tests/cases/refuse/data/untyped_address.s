# Addresses of labels in code sections that nothing calls: the symbols have no type, so they may be functions or data.
//@ export: A_Kept kept
//@ export: B_Near near
//@ export: C_Data data
	.type kept,@function
kept:
	mov rax, [rip + label@GOTPCREL]
	mov [rsi], rax
	ret
	.type data,@function
data:
	lea rax, [rip + .Lpointers]
	mov rdx, [rdi]
	and edx, 1
	mov rax, [rax + 8 * rdx]
	mov [rsi], rax
	ret
	.globl label
label:
	.quad 0x90909090, 0xc3c3c3
	.globl third
third:
	.quad 0x90909090, 0xc3c3c3
	.section .text.near,"ax",@progbits
	.globl other
other:
2:
	.quad 0x90909090, 0xc3c3c3
	.type near,@function
near:
	lea rax, [rip + 2b]
	mov [rsi], rax
	ret
	.section .data.rel.ro.pointers,"aw",@progbits
.Lpointers:
	.quad third, 0
