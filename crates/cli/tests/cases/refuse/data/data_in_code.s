# A constant between instructions, and a byte that is not an instruction.
//@ export: A_Reads reads
//@ export: B_Bytes bytes
	.globl reads
reads:
	mov rax, [rip+.Lconstant]
	mov [rsi], rax
	ret
.Lconstant:
	.quad 0x9090909090909090
	.globl bytes
bytes:
	.byte 0x06
	ret
