# SP differs from its value on entry at a return or a jump, differs between two paths, or moves above its value on entry.
//@ export: A_Return return_deep
//@ export: B_Two two_depths
//@ export: C_Above above
//@ export: D_Jump jump_deep
	.type return_deep,@function
return_deep:
	push rax
	ret
	.type two_depths,@function
two_depths:
	test rdi, rdi
	je 2f
	push rax
2:	nop
	ret
	.type above,@function
above:
	add rsp, 16
	sub rsp, 16
	ret
	.type jump_deep,@function
jump_deep:
	push rax
	jmp helper@PLT
	.section .text.helper,"ax",@progbits
	.globl helper
	.type helper,@function
helper:
	ret
