# movdir64b stores to the address in its register and only reads its memory operand. (The path is not taken at run time: few processors
# have the instruction.)
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	sub rsp, 136
	mov r8, [rdi]
	call other
	lea rax, [rip+shallow]
	mov [rsp+128], rax
	lea rcx, [rsp+64]
	cmp r8, -3
	jne 1f
	movdir64b rcx, [rsp]
1:	call [rsp+128]
	mov [rsi], r8
	add rsp, 136
	ret
	.globl shallow
	.type shallow,@function
shallow:
	inc r8
	ret
	.globl deep
	.type deep,@function
deep:
	sub rsp, 16
	add rsp, 16
	ret
	.globl other
	.type other,@function
other:
	lea rax, [rip+deep]
	ret
