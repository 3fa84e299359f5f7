# Instructions that no Go program may execute.
//@ export: A_Halt do_halt
//@ export: B_Port do_port
//@ export: C_Direction do_direction
//@ export: D_Flags do_flags
//@ export: E_Rounding do_rounding
//@ export: F_Base do_base
//@ export: G_Segment do_segment
//@ export: H_Pops do_pops
	.type do_halt,@function
do_halt:
	hlt
	.type do_port,@function
do_port:
	in al, dx
	ret
	.type do_direction,@function
do_direction:
	std
	ret
	.type do_flags,@function
do_flags:
	push rax
	popfq
	ret
	.type do_rounding,@function
do_rounding:
	ldmxcsr [rdi]
	ret
	.type do_base,@function
do_base:
	wrfsbase rax
	ret
	.type do_segment,@function
do_segment:
	mov eax, fs
	ret
	.type do_pops,@function
do_pops:
	ret 8
