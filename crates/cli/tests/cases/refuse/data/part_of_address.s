# 32-bit addresses of the frame and of code, and instructions that access more memory than their operand shows (bt, xsave).
//@ export: A_Stack stack
//@ export: B_Frame frame
//@ export: C_Code code
//@ export: D_Bits bits
//@ export: E_State state
	.type stack,@function
stack:
	push rax
	mov dword ptr [esp], 5
	pop rax
	ret
	.type frame,@function
frame:
	push rbp
	mov rbp, rsp
	mov eax, [ebp + 8]
	pop rbp
	ret
	.type code,@function
code:
	lea rax, [eip + code]
	mov [rsi], rax
	ret
	.type bits,@function
bits:
	mov rax, [rdi]
	bt [rip + table@GOTPCREL], rax
	ret
	.type state,@function
state:
	sub rsp, 1024
	xsave [rsp]
	add rsp, 1024
	ret
	.section .rodata.table,"a",@progbits
	.balign 8
table:	.quad 5, 7, 9
