# Every kind of relocation that compilers emit in code and data. The listing shows kinds that the loader does not know by their numbers.
//@ member: first
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	movq outside@GOTPCREL(%rip), %rax
	movq inside@GOTPCREL(%rip), %rax
	cmpq $0, inside@GOTPCREL(%rip)
	cmpl $1000, variable+8(%rip)
	movq second@GOTPCREL(%rip), %rax
	leaq .Ltext(%rip), %rdi
	movl $variable, %eax
	.reloc ., R_X86_64_NONE, inside
	jne inside
	ret

	.section .text.inside,"ax",@progbits
	.globl inside
	.type inside,@function
inside:
	ret

	.data
	.p2align 4
	.globl variable
variable:
	.quad variable+8
	.quad inside+1
	.globl second
second:
	.quad entry-.
	.long entry-.

	.section .rodata.str1.1,"aMS",@progbits,1
	.asciz "not this"
.Ltext:
	.asciz "this"
