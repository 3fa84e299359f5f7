# No relocation of a Go object can refer to an absolute symbol (a number).
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	call deeper
	.section .text.deeper,"ax",@progbits
	.type deeper,@function
deeper:
	movabsq $limit, %rax
	ret

//@ member: limits
	.globl limit
	.set limit, 0x1234
