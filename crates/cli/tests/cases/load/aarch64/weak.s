# Weak references that nothing defines are null: a cell of zeros, numbers in data, a function that faults. Not: a page of the symbol itself,
# and a conditional branch.
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
