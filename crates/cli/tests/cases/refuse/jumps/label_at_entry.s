# A jump through an unknown value, with SP as on entry: the target may be a label of this function or another function.
//@ export: Run run
	.type run,@function
run:
	mov eax, [rdi]
	and eax, 1
	lea rdx, [rip+labels]
	mov rdx, [rdx+8*rax]
	bswap rdx
	bswap rdx
	jmp rdx
.Leven:
	mov qword ptr [rsi], 2
	ret
.Lodd:
	mov qword ptr [rsi], 1
	ret
	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels:
	.quad .Leven
	.quad .Lodd
