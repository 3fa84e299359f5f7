# A jump and a call into the middle of another function.
//@ export: A_Jump jumps
//@ export: B_Call calls
	.globl jumps
jumps:
	mov rax, [rdi]
	jmp .Linside
	.globl calls
calls:
	push rax
	call .Linside
	pop rax
	ret
	.globl other
other:
	xor eax, eax
.Linside:
	mov [rsi], rax
	ret
