// The address of a label in a code section that nothing calls: the symbol has no type, so it may be a function or data.
//@ export: Run run
	.type run,@function
run:
	adrp x8, :got:label
	ldr x8, [x8, :got_lo12:label]
	str x8, [x1]
	ret
	.globl label
label:
	.quad 0xd503201fd503201f, 0xd65f03c0d65f03c0
