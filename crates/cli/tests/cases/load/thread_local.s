# Each access to thread-local storage is recognised, by its relocation or by the symbol's section.
//@ member: first
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	leaq value@TLSLD(%rip), %rdi
	call __tls_get_addr@PLT
	leaq value@DTPOFF(%rax), %rax
	movq value@GOTTPOFF(%rip), %rax
	movq %fs:value@TPOFF, %rax
	leaq image(%rip), %rax
	ret
	.section .tbss.value,"awT",@nobits
	.p2align 3
	.globl value
	.type value,@object
value:
	.quad 0
	.section .tdata,"awT",@progbits
image:
	.quad 1
