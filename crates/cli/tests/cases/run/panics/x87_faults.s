# A fault leaves the x87 stack as it is for the next code on the thread. Here all eight registers of the stack are in use when address 0 is
# read, and the next call needs all eight.
//@ export: DeepFaults deep
//@ export: MmxFaults below
	.type deep,@function
deep:
	sub rsp, 24
	mov rax, [rdi]
	mov [rsp], rax
	cmp rax, -1
	je 1f
	fild qword ptr [rsp]
	fld1
	fldpi
	fldz
	fld1
	fld1
	fld1
	fild qword ptr [rsp]
	faddp st(1), st
	faddp st(1), st
	faddp st(1), st
	faddp st(1), st
	fxch st(1)
	fstp st(0)
	faddp st(1), st
	faddp st(1), st
	fistp qword ptr [rsp]
	mov rax, [rsp]
	mov [rsi], rax
	add rsp, 24
	ret
1:	fld1
	fld1
	xor eax, eax
	fld qword ptr [rax]
	ud2
# The same with the MMX registers, which are the x87 registers.
	.type below,@function
below:
	mov rax, [rdi]
	cmp rax, -1
	je 1f
	sub rsp, 8
	mov [rsp], rax
	fild qword ptr [rsp]
	fld1
	faddp st(1), st
	fistp qword ptr [rsp]
	mov rax, [rsp]
	mov [rsi], rax
	add rsp, 8
	ret
1:	movq mm0, rax
	xor eax, eax
	movq mm1, [rax]
	ud2
