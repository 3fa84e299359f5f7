# A static of 512 MiB, more than the limit.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	leaq arena(%rip), %rax
	ret
	.bss
arena:
	.zero 0x20000000
