# A function whose last instruction goes on: behind it lies its fragment only since that was put there.
//@ export: Run run
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	cmp dword ptr [rdi], 3
	je .Lcold
	mov qword ptr [rsi], 1
	.section .text.unlikely,"ax",@progbits
	.type run.cold,@function
run.cold:
.Lcold:
	ret
