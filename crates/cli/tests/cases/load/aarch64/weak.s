# A weak reference to an undefined symbol becomes null: an address cell of zeros, a number in data, or a function that faults. The reference
# stays undefined if an adrp or a conditional branch names the symbol itself.
//@ member: a
//@ export: Entry entry
	.weak hook
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	adrp x8, :got:hook
	ldr x8, [x8, :got_lo12:hook]
	bl hook
	adrp x8, hook
	add x8, x8, :lo12:hook
	cbz x8, hook
	adrp x9, words
	add x9, x9, :lo12:words
	b hook
	.section .data.words,"aw",@progbits
words:
	.quad hook, hook+5
	.word hook@GOTPCREL+4
