# A function's address is kept in a word of the frame. Code may change the word before the call, so the call may reach any function. The
# listing shows which functions each call may reach.
//@ goldens: analyze
//@ export: A_Bits bits
//@ export: B_Added added
//@ export: C_Part part
//@ export: D_AtIndex at_index
//@ export: E_Copied copied
//@ export: F_Handed handed
//@ export: G_Elsewhere elsewhere
//@ export: H_Pushed pushed
//@ export: I_Below below
//@ export: J_Made made
//@ export: K_Summed summed
//@ export: L_Chosen chosen
//@ export: M_PushedAtIndex pushed_at_index
//@ export: N_Exchanged exchanged
//@ export: O_Local returns_through_local
# A bit at an index is changed.
	.type bits,@function
bits:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+24], rax
	mov eax, r8d
	and eax, 31
	add eax, 128
	btc [rsp+8], rax
	btc [rsp+8], rax
	call [rsp+24]
	mov [rsi], r8
	add rsp, 72
	ret
# A store through the sum of a number and rbp, as gcc indexes arrays of structs without optimisation.
	.type summed,@function
summed:
	push rbp
	mov rbp, rsp
	sub rsp, 64
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rbp-8], rax
	mov rax, -32
	add rax, rbp
	mov [rax+8], r8
	call [rbp-8]
	mov [rsi], r8
	leave
	ret
# A store through a register that is rbp if a condition holds.
	.type chosen,@function
chosen:
	push rbp
	mov rbp, rsp
	sub rsp, 64
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rbp-8], rax
	lea rdx, [rip+spare]
	test r8, 1
	cmovne rdx, rbp
	mov rax, [rdx-32]
	mov [rdx-32], rax
	call [rbp-8]
	mov [rsi], r8
	leave
	ret
	.section .data.spare,"aw",@progbits
	.p2align 3
	.zero 32
spare:
	.quad 0
	.text
# An addition of a number is no fence, even if the number is subtracted again.
	.type added,@function
added:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	lock add qword ptr [rsp+8], 5
	sub qword ptr [rsp+8], 5
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# One byte of the word is overwritten.
	.type part,@function
part:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	mov byte ptr [rsp+8], al
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# A store at an index.
	.type at_index,@function
at_index:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	mov ecx, r8d
	and ecx, 3
	mov [rsp+rcx*8+24], r8
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# A store through a value computed from a copy of SP.
	.type copied,@function
copied:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	mov rcx, rsp
	mov rdx, rcx
	shr rdx, 3
	mov [rdx*8+24], r8
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# A callee receives an address in the frame.
	.type handed,@function
handed:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	lea rdx, [rsp+24]
	call fills
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# A store whose address is not an operand (stosq).
	.type elsewhere,@function
elsewhere:
	sub rsp, 72
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp+8], rax
	push rdi
	push rsi
	lea rdi, [rsp+40]
	mov rax, r8
	stosq
	pop rsi
	pop rdi
	call [rsp+8]
	mov [rsi], r8
	add rsp, 72
	ret
# The word is pushed, like an argument.
	.type pushed,@function
pushed:
	push rbx
	mov r8, [rdi]
	lea rax, [rip+shallow]
	push rax
	mov rdx, rsp
	push r8
	call looks
	pop r8
	pop rax
	call rax
	mov [rsi], r8
	pop rbx
	ret
# The word is pushed, and a store at an index may hit it.
	.type pushed_at_index,@function
pushed_at_index:
	push rbx
	mov r8, [rdi]
	lea rax, [rip+shallow]
	push rax
	push rax
	mov ecx, r8d
	and ecx, 1
	mov [rsp+rcx*8], rax
	pop rcx
	pop rax
	call rax
	mov [rsi], r8
	pop rbx
	ret
# An exchange stores the frame pointer in other memory, and a store goes through it.
	.type exchanged,@function
exchanged:
	push rbp
	mov rbp, rsp
	sub rsp, 64
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rbp-8], rax
	lea rdx, [rip+spare]
	xchg [rdx], rbp
	mov rdx, [rdx]
	mov rax, [rdx-8]
	mov [rdx-8], rax
	lea rbp, [rsp+64]
	call [rbp-8]
	mov [rsi], r8
	leave
	ret
# A callee pushes rax only to make room for a variable, to which another function writes. So the callee changes rax.
	.type returns_through_local,@function
returns_through_local:
	push rbx
	mov rbx, rsi
	mov r8, [rdi]
	lea rax, [rip+shallow]
	call local
	call rax
	mov [rbx], r8
	pop rbx
	ret
	.type local,@function
local:
	push rax
	mov rdx, rsp
	call sets
	mov rax, [rsp]
	pop rcx
	ret
	.type sets,@function
sets:
	lea r9, [rip+deeper]
	mov [rdx], r9
	ret
# The word lies below SP during a call.
	.type below,@function
below:
	sub rsp, 8
	mov r8, [rdi]
	lea rax, [rip+shallow]
	mov [rsp-40], rax
	call looks
	call [rsp-40]
	mov [rsi], r8
	add rsp, 8
	ret
# Without this function, only one function's address would be taken, and every call would reach it.
	.type made,@function
made:
	mov r8, [rdi]
	lea rax, [rip+deeper]
	call rax
	mov [rsi], r8
	ret
	.type looks,@function
looks:
	add r8, 9
	ret
	.type fills,@function
fills:
	mov [rdx], r8
	ret
	.type shallow,@function
shallow:
	add r8, 1000
	ret
	.type deeper,@function
deeper:
	push rax
	sub r8, 77
	pop rax
	ret
