# Calls that may unwind, in functions whose tables are wrong. The calls are refused.
//@ export: Run run
.globl run
.type run,@function
run:
	call typed
	call inside
	call lower
	ret

.macro function name, table, by
.type \name,@function
\name:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, \table
	sub rsp, 24
	.cfi_def_cfa_offset 32
	call throws
	mov rdi, rax
	sub rsp, \by
	.cfi_def_cfa_offset 40
	call throws
	add rsp, 24 + \by
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size \name, . - \name
.endm

	function typed, .Ltyped, 8
.type throws,@function
throws:
	.cfi_startproc
	test edi, edi
	jne _Unwind_RaiseException
	ret
	.cfi_endproc

	# The landing pad is in the middle of an instruction.
	function inside, .Linside, 8
	# The same landing pad for two calls with different depths of SP.
	function lower, .Llower, 8

.section .gcc_except_table,"a",@progbits
.Ltyped:
	.byte 255, 155, 13, 1, 4, 4, 5, 9, 1, 1, 0
	.balign 4
	.long type - .
.Linside:
	.byte 255, 255, 1, 4, 4, 5, 10, 0
.Llower:
	.byte 255, 255, 1, 8, 4, 5, 9, 0, 16, 5, 9, 0

.section .data.DW.ref.rust_eh_personality,"aw",@progbits
.weak DW.ref.rust_eh_personality
.balign 8
DW.ref.rust_eh_personality:
	.quad rust_eh_personality
