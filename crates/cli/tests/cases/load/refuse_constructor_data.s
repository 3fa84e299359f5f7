# A constructor in an object of which only data is reached. The constructor's section has the older name .ctors and a priority.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	movq state(%rip), %rax
	ret
//@ member: native
	.section .data.state,"aw",@progbits
	.globl state
	.type state,@object
state:
	.quad 1
	.size state, 8
	.section .text.unlikely,"ax",@progbits
1:	ret
	.section .ctors.65435,"aw",@progbits
	.p2align 3
	.quad 1b
