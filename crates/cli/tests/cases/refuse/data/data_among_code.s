# Data in a code section, referred to by a variable's symbol, by the section's symbol, and from the same section.
//@ export: A_Object object
//@ export: B_Local local
//@ export: C_Address address
	.type object,@function
object:
	mov rax, [rip + table]
	mov [rsi], rax
	ret
	.section .text.local,"ax",@progbits
	.type local,@function
local:
	mov eax, [rip + second + 8]
	mov [rsi], rax
	ret
	.section .text.address,"ax",@progbits
	.type address,@function
address:
	mov rax, [rip + table@GOTPCREL]
	mov [rsi], rax
	ret

	.section .text.tables,"ax",@progbits
	.globl table
	.type table,@object
table:
	.quad 0x90909090, 0xc3c3c3
	.type second,@object
second:
	.quad 0x90909090, 0xc3c3c3
	.size second, 16
	.type behind,@function
behind:
	ret
