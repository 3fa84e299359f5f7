# Instructions that change a segment register without naming it, call a hypervisor, or reset the x87 unit.
//@ export: A_Load do_load
//@ export: B_Jump do_jump
//@ export: C_Call do_call
//@ export: D_Monitor do_monitor
//@ export: E_Save do_save
	.type do_load,@function
do_load:
	lfs eax, [rdi]
	ret
	.type do_jump,@function
do_jump:
	jmp fword ptr [rdi]
	.type do_call,@function
do_call:
	call fword ptr [rdi]
	ret
	.type do_monitor,@function
do_monitor:
	vmmcall
	ret
	.type do_save,@function
do_save:
	fnsave [rdi]
	ret
