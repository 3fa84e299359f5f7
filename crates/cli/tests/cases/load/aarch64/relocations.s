// Every kind of relocation that compilers emit in code and data. The listing shows kinds that the loader does not know by their numbers.
//@ member: first
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	bl inside
	b inside
	adr x0, variable
	adrp x0, variable
	adrp x0, :pg_hi21_nc:variable
	add x0, x0, :lo12:variable
	ldrb w1, [x0, :lo12:variable+1]
	ldrh w1, [x0, :lo12:variable+2]
	ldr w1, [x0, :lo12:variable+4]
	ldr x1, [x0, :lo12:variable+8]
	ldr q1, [x0, :lo12:variable+16]
	str x1, [x0, :lo12:second]
	adrp x0, .Ltext
	add x0, x0, :lo12:.Ltext
	adrp x0, :got:outside
	ldr x0, [x0, :got_lo12:outside]
	adrp x0, :got:second
	ldr x0, [x0, :got_lo12:second]
	adrp x0, :got:inside
	ldr x0, [x0, :got_lo12:inside]
	.reloc ., R_AARCH64_ADR_GOT_PAGE, second+8
	adrp x0, 0
	.reloc ., R_AARCH64_LD64_GOT_LO12_NC, second+8
	ldr x0, [x0]
	.reloc ., R_AARCH64_NONE, inside
	b.eq inside
	tbz x0, #3, inside
	ldr x0, variable
	movz x0, #:abs_g0_nc:variable
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
	.xword variable+8
	.xword inside+1
	.globl second
second:
	.xword entry-.
	.word entry-.
	.word variable

	.section .rodata.str1.1,"aMS",@progbits,1
	.asciz "not this"
.Ltext:
	.asciz "this"
