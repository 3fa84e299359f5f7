# The machine code of functions is read and written as data.
//@ export: A_Reads reads
//@ export: B_Indexed indexed
//@ export: C_Writes writes
//@ export: D_Loaded loaded
//@ export: E_String string
	.type reads,@function
reads:
	lea rax, [rip + reads]
	movzx eax, byte ptr [rax]
	mov [rsi], rax
	ret
	.type indexed,@function
indexed:
	lea rax, [rip + reads]
	mov rdx, [rdi]
	mov rax, [rdx + rax]
	mov [rsi], rax
	ret
	.type writes,@function
writes:
	lea rax, [rip + reads]
	mov byte ptr [rax + 1], 0
	ret
	.type loaded,@function
loaded:
	mov rax, [rip + .Lpointer]
	add rdx, [rax]
	mov [rsi], rdx
	ret
	.type string,@function
string:
	lea rsi, [rip + reads]
	mov ecx, 4
	rep movsb
	ret
	.section .data.rel.ro,"aw",@progbits
.Lpointer:
	.quad reads
