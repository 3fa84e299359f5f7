# Calls, jumps and returns with an operand-size prefix: processors of one vendor cut the address to 16 bits, other processors do not.
//@ export: A_Return returns
//@ export: B_Call calls
//@ export: C_Jump jumps
//@ export: D_Branch branches
//@ export: E_Leave leaves
	.type returns,@function
returns:
	.byte 0x66
	ret
	.type calls,@function
calls:
	push rax
	.byte 0x66
	call calls
	pop rax
	ret
	.type jumps,@function
jumps:
	.byte 0x2e, 0x66, 0x48
	jmp 2f
2:	ret
	.type branches,@function
branches:
	.byte 0x66
	jz 3f
3:	ret
	.type leaves,@function
leaves:
	push rbp
	mov rbp, rsp
	.byte 0x66
	leave
	ret
