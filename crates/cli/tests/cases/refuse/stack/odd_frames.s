# Code that lowering cannot express while SP is not a multiple of 8: calls, words that are pushed and then reached by anything but a pop,
# and SP as a number.
//@ export: A_Calls calls
//@ export: B_Names names
//@ export: C_Points points
//@ export: D_Frame frame
//@ export: E_Indexed indexed
//@ export: F_Number number
//@ export: G_Pops pops
//@ export: H_Overlaps overlaps
//@ export: I_Leaves leaves
//@ export: J_Carry carry
	.type calls,@function
calls:
	sub rsp, 1
	call callee
	add rsp, 1
	ret
	.type names,@function
names:
	sub rsp, 1
	push rdi
	mov rax, [rsp]
	pop rdi
	add rsp, 1
	ret
	.type points,@function
points:
	lea rax, [rsp-9]
	sub rsp, 1
	push rdi
	pop rdi
	add rsp, 1
	ret
	.type frame,@function
frame:
	push rbp
	mov rbp, rsp
	sub rsp, 1
	push rdi
	mov rax, [rbp-9]
	pop rdi
	leave
	ret
	.type indexed,@function
indexed:
	sub rsp, 21
	push rdi
	mov rax, [rsp+rax]
	pop rdi
	add rsp, 21
	ret
	.type number,@function
number:
	sub rsp, 1
	cmp rsp, rdi
	add rsp, 1
	ret
	.type pops,@function
pops:
	sub rsp, 9
	mov [rsp], rdi
	pop rcx
	add rsp, 1
	ret
	.type overlaps,@function
overlaps:
	sub rsp, 1
	push rdi
	sub rsp, 16
	mov [rsp+8], rdi
	add rsp, 16
	pop rdi
	add rsp, 1
	ret
	.type leaves,@function
leaves:
	sub rsp, 3
	push rbp
	mov rbp, rsp
	leave
	add rsp, 3
	ret
	.type carry,@function
carry:
	sub rsp, 1
	add rdi, rsp
	setc al
	mov [rsi], al
	add rsp, 1
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	mov [rsi], rdi
	ret
