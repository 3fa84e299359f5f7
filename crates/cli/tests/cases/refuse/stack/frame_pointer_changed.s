# Exports that return with another rbp than Go's frame pointer: changed by the export, by a callee, by a jump's target, on one of two paths,
# or restored from a word of the frame that a callee may have changed.
//@ export: A_Itself itself
//@ export: B_Callee callee
//@ export: C_Jump jump
//@ export: D_Way way
//@ export: E_Frame frame
	.type itself,@function
itself:
	mov rbp, rdi
	ret
	.type callee,@function
callee:
	push rbx
	call spoils
	pop rbx
	ret
	.type spoils,@function
spoils:
	xor ebp, ebp
	ret
	.type jump,@function
jump:
	jmp spoils
	.type way,@function
way:
	push rbp
	test edi, edi
	je 1f
	pop rbp
	ret
1:	add rsp, 8
	inc ebp
	ret
	.type frame,@function
frame:
	sub rsp, 24
	mov [rsp + 8], rbp
	lea rdi, [rsp]
	mov ebp, 1
	call fills
	mov rbp, [rsp + 8]
	add rsp, 24
	ret
	.type fills,@function
fills:
	mov [rdi + 8], rdi
	ret
