# Hand-written assembly as in many crates: several functions in one section, symbols of size zero, two names at one
# address, branches and calls between them that the assembler resolved.
//@ goldens: decode analyze
//@ export: Run run
//@ export: Again second_name
	.globl run
run:
	mov rax, [rdi]
	call helper
	mov [rsi], rax
	ret
	.globl unused
unused:
	ud2
	.globl first_name
	.globl second_name
first_name:
second_name:
	mov rax, [rdi]
	call helper
	call first_helper
	mov [rsi], rax
	ret
	.globl helper
helper:
	xor rax, 255
	ret
	.globl first_helper
first_helper:
	cmp rax, 20
	jb helper
	add rax, 3
	ret
