# A function reads an entry in the middle of another function's jump table. The generated data has zeros in place of the table.
//@ export: Run run
	.type run,@function
run:
	mov eax, [rip+table+4]
	mov [rsi], rax
	call go_on
	ret
	.section .text.go_on,"ax",@progbits
	.globl go_on
	.type go_on,@function
go_on:
	mov eax, [rdi]
	and eax, 1
	lea rdx, [rip+table]
	movsxd rcx, dword ptr [rdx+rax*4]
	add rcx, rdx
	jmp rcx
.La:
	ret
	.section .rodata.table,"a",@progbits
	.p2align 2
table:
	.long .La-table
	.long .La-table
