# gcc's cold fragments become parts of the functions that jump to them.
//@ member: cold
//@ export: Run run
	.section .text.run,"ax",@progbits
	.globl run
	.type run,@function
run:
	leaq .Ltable(%rip), %rdx
	movslq (%rdx,%rcx,4), %rcx
	addq %rdx, %rcx
	jmp *%rcx
.Lhot:
	jne .Lcold
	je .Lshared
	call other
	call called.cold
	call again
	call enters
	call calls_near
	movq address(%rip), %rax
	ret

	.section .text.other,"ax",@progbits
	.type other,@function
other:
	je .Lshared
	je unnamed
.Lother:
	jmp tail
again:
	ret

	.section .text.unlikely,"ax",@progbits
	.type run.cold,@function
run.cold:
	nop
.Lcold:
	leaq constant(%rip), %rax
	jmp .Lmore
	.type other.cold,@function
other.cold:
.Lshared:
	jmp called.cold
	.type called.cold,@function
called.cold:
	ret

	.section .text.more,"ax",@progbits
	.type run.cold.1,@function
run.cold.1:
.Lmore:
	jmp .Lhot

	.section .text.unnamed,"ax",@progbits
	.type unnamed,@function
unnamed:
	jmp .Lother
	.section .text.tail,"ax",@progbits
	.type tail,@function
tail:
	ret

# Two fragments that functions jump into stay functions: data holds the address of `addressed`, and `calls_near` calls `near.cold`. The
# assembler leaves no relocation for that call.
	.section .text.enters,"ax",@progbits
	.type enters,@function
enters:
	je .Lin_addressed
	je .Lin_near
	ret
	.section .text.addressed,"ax",@progbits
	.type addressed,@function
addressed:
	nop
.Lin_addressed:
	ret
	.section .text.near,"ax",@progbits
	.type near.cold,@function
near.cold:
	nop
.Lin_near:
	ret
	.type calls_near,@function
calls_near:
	call near.cold
	ret

	.section .rodata.table,"a",@progbits
	.p2align 2
.Ltable:
	.long .Lhot-.Ltable
	.long .Lcold-.Ltable
	.long .Lmore-.Ltable
	.section .data.rel.ro.labels,"aw",@progbits
constant:
	.quad .Lcold
	.quad 7
	.section .data.rel.ro.address,"aw",@progbits
	.p2align 3
address:
	.quad addressed
