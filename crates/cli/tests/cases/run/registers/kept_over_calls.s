# Values stay in caller-saved registers over calls of functions that do not change them: as gcc compiles C with -fipa-ra, and in
# forms that no compiler emits. The callees need scratch registers for their statics.
//@ export: Sw sw_shim
//@ export: Wide wide
//@ export: Chosen chosen
//@ export: Known known
//@ export: Deep deep
//@ export: Frame frame
	.type sw_shim,@function
sw_shim:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	lea rsi, [rdi + 7]
	call sw
	mov [rbx], rax
	pop rbx
	ret

# static uint64_t counter; static noinline void bump(void){counter++;}
# uint64_t sw(uint64_t a,uint64_t b){bump(); return a*3+b;}
	.type bump,@function
bump:
	add qword ptr [rip + counter], 1
	ret
	.type sw,@function
sw:
	call bump
	lea rax, [rdi + rdi*2]
	add rax, rsi
	ret

# Every register that a call may change is in use.
	.type wide,@function
wide:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	lea rax, [rdi + 1]
	lea rcx, [rdi + rax*2 + 3]
	lea rdx, [rax + rcx*4 + 5]
	lea rsi, [rcx + rdx*2 + 7]
	lea r8, [rdx + rsi*4 + 9]
	lea r9, [rsi + r8*2 + 11]
	lea r10, [r8 + r9*4 + 13]
	lea r11, [r9 + r10*2 + 15]
	call bump
	call swap
	xor rax, rdi
	ror rax, 7
	xor rax, rcx
	ror rax, 7
	xor rax, rdx
	ror rax, 7
	xor rax, rsi
	ror rax, 7
	xor rax, r8
	ror rax, 7
	xor rax, r9
	ror rax, 7
	xor rax, r10
	ror rax, 7
	xor rax, r11
	mov [rbx], rax
	pop rbx
	ret

# r9 returns unchanged, by way of a static.
	.type swap,@function
swap:
	xchg r9, [rip + cell]
	xchg r9, [rip + cell]
	ret

# A tail jump after an access to a static.
	.type both,@function
both:
	add qword ptr [rip + counter], 3
	jmp far_bump@PLT

# A call through a pointer to one of two functions.
	.type chosen,@function
chosen:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	lea rsi, [rdi + 3]
	lea r8, [rdi + rsi*2]
	lea r10, [rsi + r8*4]
	lea rax, [rip + far_bump]
	lea rcx, [rip + far_stamp]
	test dil, 1
	cmove rax, rcx
	call rax
	lea rax, [rdi + rsi*2]
	xor rax, r8
	ror rax, 9
	xor rax, r10
	mov [rbx], rax
	pop rbx
	ret

# A call through a pointer that is not known.
	.type known,@function
known:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	lea rsi, [rdi + 3]
	lea r8, [rdi + rsi*2]
	mov rax, rdi
	and eax, 1
	lea rcx, [rip + table]
	lea rcx, [rcx + rax*8]
	mov rax, [rcx]
	call rax
	lea rax, [rdi + rsi*2]
	xor rax, r8
	mov [rbx], rax
	pop rbx
	ret

# Over two calls: in the first, a nested call accesses a static; the second ends in a jump.
	.type deep,@function
deep:
	push rbx
	mov rbx, rsi
	mov rax, [rdi]
	lea rsi, [rax + 5]
	lea rdi, [rax + rsi*4]
	lea r11, [rax + rsi*2]
	lea rdx, [r11 + rsi*4]
	call outer
	call both
	xor rax, rdx
	ror rax, 5
	xor rax, r11
	ror rax, 5
	xor rax, rsi
	ror rax, 5
	xor rax, rdi
	mov [rbx], rax
	pop rbx
	ret
	.type outer,@function
outer:
	push rax
	call bump
	pop rax
	add rax, 2
	ret

# A caller-saved register keeps SP.
	.type frame,@function
frame:
	push rbx
	mov rbx, rsi
	mov rdi, [rdi]
	mov r10, rsp
	sub rsp, 32
	mov [rsp + 24], rdi
	call outer
	mov rax, [r10 - 8]
	mov rsp, r10
	mov [rbx], rax
	pop rbx
	ret

	.section .text.far_bump,"ax",@progbits
	.globl far_bump
	.type far_bump,@function
far_bump:
	add qword ptr [rip + counter], 5
	ret
	.section .text.far_stamp,"ax",@progbits
	.globl far_stamp
	.type far_stamp,@function
far_stamp:
	mov qword ptr [rip + counter], 9
	ret

	.section .bss.counter,"aw",@nobits
	.balign 8
counter: .zero 8
	.section .bss.cell,"aw",@nobits
	.balign 8
cell:	.zero 8
	.section .data.table,"aw",@progbits
	.balign 8
table:
	.quad far_bump
	.quad far_stamp
