// The machine code of functions is read and written as data.
//@ export: A_Reads reads
//@ export: B_Writes writes
	.type reads,@function
reads:
	adrp x8, reads
	add x8, x8, :lo12:reads
	ldr x8, [x8, x0]
	str x8, [x1]
	ret
	.type writes,@function
writes:
	adrp x8, :got:reads
	ldr x8, [x8, :got_lo12:reads]
	str xzr, [x8], #8
	ret
