# gcc puts a writable variable that contains a pointer into `.data.rel.NAME`, and NAME may begin with `ro`. The program writes to such a variable.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	lea rcx, [rip+root]
	add qword ptr [rcx+8], rax
	lea rdx, [rip+second]
	test al, 1
	lea r8, [rip+first]
	cmovz rdx, r8
	mov [rcx], rdx
	mov rax, [rip+root]
	mov rax, [rax]
	add rax, [rip+root+8]
	mov [rsi], rax
	mov qword ptr [rip+root+8], 0
	ret
	.section .data.rel.root,"aw",@progbits
	.p2align 3
root:
	.quad first
	.quad 0
	.section .rodata.first,"a",@progbits
	.p2align 3
first:
	.quad 1000
	.section .rodata.second,"a",@progbits
	.p2align 3
second:
	.quad 2000
