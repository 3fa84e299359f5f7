# A member that nobody needs defines nothing: neither its strong definition counts against a weak or a tentative one, nor is it
# the first of two. A name that is defined already needs nothing either, nor does a weak reference.
//@ member: unneeded
	.section .text.hook,"ax",@progbits
	.globl hook
	.type hook,@function
hook:
	nop
	ret
	.section .text.twice,"ax",@progbits
	.globl twice
	.type twice,@function
twice:
	nop
	ret
	.section .data.tentative,"aw",@progbits
	.globl tentative
	.type tentative,@object
tentative:
	.quad 77
	.size tentative, 8
	.section .text.optional,"ax",@progbits
	.globl optional
	.type optional,@function
optional:
	ret
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	call hook
	movq tentative(%rip), %rax
	.weak optional
	call optional
	call needed
	call later
	ret
	.section .text.hook,"ax",@progbits
	.weak hook
	.type hook,@function
hook:
	ret
	.comm tentative, 8, 8
//@ member: needed
	.section .text.needed,"ax",@progbits
	.globl needed
	.type needed,@function
needed:
	jmp twice
	.section .text.twice,"ax",@progbits
	.globl twice
	.type twice,@function
twice:
	ret
//@ member: later
	.section .text.later,"ax",@progbits
	.globl later
	.type later,@function
later:
	jmp twice
