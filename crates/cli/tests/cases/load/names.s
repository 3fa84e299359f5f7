# A strong definition replaces a weak one, and the first of several strong definitions wins. The largest tentative definition wins and gets
# the strictest alignment of all tentative definitions.
//@ member: user
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	call weakly@PLT
	call twice@PLT
	leaq tentative(%rip), %rax
	leaq strong_data(%rip), %rax
	call only_weak@PLT
	ret
	.section .text.weakly,"ax",@progbits
	.weak weakly
	.type weakly,@function
weakly:
	int3
	.comm tentative,4,32
	.comm strong_data,4,4

//@ member: one
	.section .text.weakly,"ax",@progbits
	.globl weakly
	.type weakly,@function
weakly:
	ret
	.section .text.twice,"ax",@progbits
	.globl twice
	.type twice,@function
twice:
	movl $1, %eax
	ret
	.comm tentative,24,16

//@ member: two
	.comm tentative,8,64
	.section .text.twice,"ax",@progbits
	.globl twice
	.type twice,@function
twice:
	movl $2, %eax
	ret
	.section .text.only_weak,"axG",@progbits,only_weak,comdat
	.weak only_weak
	.type only_weak,@function
only_weak:
	movl $3, %eax
	ret
	.section .data.strong_data,"aw",@progbits
	.globl strong_data
	.type strong_data,@object
strong_data:
	.long 7

//@ member: three
	.section .text.only_weak,"axG",@progbits,only_weak,comdat
	.weak only_weak
	.type only_weak,@function
only_weak:
	movl $4, %eax
	ret
