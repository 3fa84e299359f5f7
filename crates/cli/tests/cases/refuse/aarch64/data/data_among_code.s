// Data in a code section, referred to by a variable's symbol and by the section's symbol.
//@ export: A_Object object
//@ export: B_Address address
	.type object,@function
object:
	adrp x8, table
	ldr x8, [x8, :lo12:table]
	str x8, [x1]
	ret
	.type address,@function
address:
	adrp x8, :got:second
	ldr x8, [x8, :got_lo12:second]
	str x8, [x1]
	ret

	.section .text.tables,"ax",@progbits
	.globl table
	.type table,@object
table:
	.quad 0xd503201fd503201f, 0xd65f03c0d65f03c0
	.globl second
	.type second,@object
second:
	.quad 0xd503201fd503201f, 0xd65f03c0d65f03c0
	.size second, 16
	.type behind,@function
behind:
	ret
