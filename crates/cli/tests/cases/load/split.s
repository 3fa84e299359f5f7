# Hand-written assembly: several functions in one section, labels without types, two names at one address, unwind tables for a part of the section.
//@ member: hash
//@ export: Hash shim
//@ export: Other other
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	call _hash_many
	call local_label
	call hidden
	leaq constants+16(%rip), %rax
	ret

	.text
	.p2align 6
	.globl _hash_many
	.globl hash_many
_hash_many:
hash_many:
	jmp inner
	nop
inner:
	movdqu constants+32(%rip), %xmm0
	ret
	.p2align 4
local_label:
	jmp hash_many
	.cfi_startproc
untyped_part:
	nop
	.cfi_endproc
	.p2align 5
	.globl other
	.type other,@function
other:
	leaq jumps(%rip), %rcx
	movslq (%rcx,%rax,4), %rax
	addq %rcx, %rax
	jmpq *%rax
.Lfirst:
	ret
.Lsecond:
	nop
	ret
	.type hidden,@function
hidden:
	ret
end:

	.section .rodata.jumps,"a",@progbits
	.p2align 2
jumps:
	.long .Lfirst-jumps
	.long .Lsecond-jumps

	.section .rodata,"a",@progbits
	.p2align 4
constants:
	.zero 48
