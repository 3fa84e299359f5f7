# A store to where a register says, by an instruction whose operand in memory is what it reads. (On a way that is not gone: few processors
# have it.)
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
