// A stack argument is accessed only by an index, from an address inside the frame, in functions that call a function whose frame is aligned
// beyond 16. Calls of such functions are not padded, because the padding would lie between the frame and the argument.
//@ export: Run run
	.text
	.type run,@function
run:
	push rbx
	push rsi
	sub rsp, 24
	mov rax, [rdi]
	mov [rsp], rax
	not rax
	mov [rsp + 8], rax
	mov edi, 32
	call by_operand
	mov rbx, rax
	mov [rsp], rax
	mov edi, 32
	call by_addition
	add rbx, rax
	call by_slot
	add rbx, rax
	mov rdi, [rsp + 8]
	call by_lea
	add rbx, rax
	mov rdi, [rsp + 8]
	call by_mov
	add rbx, rax
	mov rdi, [rsp + 8]
	call by_jump
	add rax, rbx
	add rsp, 24
	pop rsi
	mov [rsi], rax
	pop rbx
	ret
	.section .text.put,"ax",@progbits
	.type put,@function
put:
	mov [rcx], rdi
	ret
	.section .text.by_lea,"ax",@progbits
	.type by_lea,@function
by_lea:
	sub rsp, 24
	lea rcx, [rsp]
	call put
	mov edi, 24
	call by_operand
	add rsp, 24
	ret
	.section .text.by_mov,"ax",@progbits
	.type by_mov,@function
by_mov:
	sub rsp, 24
	mov rcx, rsp
	call put
	mov edi, 24
	call by_operand
	add rsp, 24
	ret
	.section .text.by_jump,"ax",@progbits
	.type by_jump,@function
by_jump:
	sub rsp, 24
	mov [rsp], rdi
	mov edi, 24
	call jumps
	add rsp, 24
	ret
	.section .text.jumps,"ax",@progbits
	.type jumps,@function
jumps:
	jmp by_operand
	.section .text.by_operand,"ax",@progbits
	.type by_operand,@function
by_operand:
	sub rsp, 24
	mov [rsp + 8], rdi
	call aligned
	mov rdi, [rsp + 8]
	add rax, [rsp + rdi + 8]
	add rsp, 24
	ret
	.section .text.by_addition,"ax",@progbits
	.type by_addition,@function
by_addition:
	sub rsp, 24
	mov [rsp + 8], rdi
	call aligned
	mov rdi, [rsp + 8]
	lea rcx, [rsp]
	add rcx, rdi
	add rax, [rcx]
	add rsp, 24
	ret
	.section .text.by_slot,"ax",@progbits
	.type by_slot,@function
by_slot:
	sub rsp, 24
	lea rcx, [rsp + 16]
	mov [rsp], rcx
	call aligned
	mov rcx, [rsp]
	add rax, [rcx + 16]
	add rsp, 24
	ret
	.section .text.aligned,"ax",@progbits
	.type aligned,@function
aligned:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	mov rax, rsp
	and rax, 63
	leave
	ret
