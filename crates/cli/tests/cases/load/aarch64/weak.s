# A weak reference to an undefined symbol is null: a cell of zeros, a number in data, a function that faults. The reference stays undefined if
# an adrp names the symbol itself, or a conditional branch does.
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
