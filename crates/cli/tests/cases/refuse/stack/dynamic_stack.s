# Each export moves SP by an unknown amount, in a different way.
//@ export: A_Sub sub_register
//@ export: B_Load load
//@ export: C_Index index
//@ export: D_Pop pop_sp
//@ export: E_Exchange exchange
//@ export: F_Mask mask
//@ export: G_Half half
//@ export: H_Enter enters
	.type sub_register,@function
sub_register:
	push rbp
	mov rbp, rsp
	mov rax, [rdi]
	sub rsp, rax
	mov rsp, rbp
	pop rbp
	ret
	.type load,@function
load:
	mov rsp, [rdi]
	ret
	.type index,@function
index:
	lea rsp, [rsp+rax*8]
	ret
	.type pop_sp,@function
pop_sp:
	push rdi
	pop rsp
	ret
	.type exchange,@function
exchange:
	xchg rsp, rax
	ret
	.type mask,@function
mask:
	and rsp, -48
	ret
	.type half,@function
half:
	add esp, 8
	ret
	.type enters,@function
enters:
	enter 16, 0
	leave
	ret
