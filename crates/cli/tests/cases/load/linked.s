# An archive member that no symbol needs is not linked. So its strong definitions replace no weak or tentative definitions, and do not count as
# the first of several. A weak reference does not make a member needed, nor does a reference to a symbol that is already defined.
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
