# Tables of labels of two functions, one after the other in one section.
//@ goldens: analyze
//@ export: One one
//@ export: Two two
	.macro goes name, table, by
	.section .text.\name,"ax",@progbits
	.type \name,@function
\name:
	mov rax, [rdi]
	mov ecx, eax
	and ecx, 1
	lea rdx, [rip + \table]
	jmp [rdx + 8*rcx]
.L\name\()_even:
	add rax, \by
	mov [rsi], rax
	ret
.L\name\()_odd:
	imul rax, rax, \by
	mov [rsi], rax
	ret
	.endm
	goes one, labels_one, 5
	goes two, labels_two, 9
	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels_one:
	.quad .Lone_even
	.quad .Lone_odd
labels_two:
	.quad .Ltwo_even
	.quad .Ltwo_odd
