# A function that is called through a pointer aligns its frame and stores its register arguments in the four words above its return address, which
# its caller reserves but does not write, as in Microsoft's calling convention. It reads the words through an address. The entry to which the
# pointer leads reserves these words too; otherwise the stores would overwrite the entry's return address.
//@ export: Run run
	.type run,@function
run:
	push rbx
	mov rbx, rsi
	mov rcx, [rdi]
	lea rdx, [rcx + 7]
	lea r8, [rcx + 2*rcx]
	mov r9, rcx
	not r9
	sub rsp, 32
	call [rip+function]
	add rsp, 32
	mov [rbx], rax
	pop rbx
	ret
	.globl spills
	.type spills,@function
spills:
	push rbp
	mov rbp, rsp
	and rsp, -64
	sub rsp, 64
	mov [rbp+16], rcx
	mov [rbp+24], rdx
	mov [rbp+32], r8
	mov [rbp+40], r9
	lea rdi, [rbp+16]
	call sum
	mov rcx, rsp
	and ecx, 63
	add rax, rcx
	leave
	ret
	.globl sum
	.type sum,@function
sum:
	mov rax, [rdi]
	lea rax, [rax + 2*rax]
	add rax, [rdi+8]
	lea rax, [rax + 4*rax]
	add rax, [rdi+16]
	lea rax, [rax + 8*rax]
	add rax, [rdi+24]
	ret
	.section .data.function,"aw",@progbits
	.p2align 3
function:
	.quad spills
