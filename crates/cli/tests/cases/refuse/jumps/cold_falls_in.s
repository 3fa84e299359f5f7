# A function's last instruction is no jump or return. Its cold fragment follows only because the loader put it there.
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
