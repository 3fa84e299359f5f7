// Several functions in one section. Addends relative to the section's symbol are plain offsets; $x and $d do not begin a function.
//@ member: hash
//@ export: Hash shim
//@ export: Other other
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	bl hash_many
	bl local_label
	bl .Lunnamed
	.reloc ., R_AARCH64_CALL26, .text+16
	bl .
	adrp x0, constants+16
	add x0, x0, :lo12:constants+16
	ret
	.word .Lunnamed - .

	.text
	.globl _hash_many
	.globl hash_many
_hash_many:
hash_many:
	b inner
	nop
inner:
	ret
	.word 0xffffffff
local_label:
	b hash_many
.Lunnamed:
	ret
	.globl other
	.type other,@function
other:
	adrp x1, jumps
	add x1, x1, :lo12:jumps
	ldrsw x0, [x1, x0, lsl #2]
	add x0, x0, x1
	br x0
	.word 0xffffffff
.Lfirst:
	ret
	.word 0xffffffff
.Lsecond:
	nop
	ret
	.type hidden,@function
hidden:
	.xword hidden
	ret
end:

	.section .rodata.jumps,"a",@progbits
	.p2align 2
jumps:
	.word .Lfirst-jumps
	.word .Lsecond-jumps

	.section .rodata,"a",@progbits
	.p2align 4
constants:
	.zero 48
