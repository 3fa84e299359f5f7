# The tables of a function with a cleanup, a catch and a filter, whose calls push arguments, and of functions without landing pads.
//@ export: Run run
.globl run
.type run,@function
run:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Ltable
	push rbx
	.cfi_def_cfa_offset 16
	push r12
	.cfi_def_cfa_offset 24
	.cfi_offset r12, -24
	.cfi_offset rbx, -16
.Lfirst:
	call leaf
	push 1
	.cfi_adjust_cfa_offset 8
	push 2
	.cfi_adjust_cfa_offset 8
	.cfi_escape 0x2e, 0x10
.Lsecond:
	call framed
	add rsp, 16
	.cfi_adjust_cfa_offset -16
	.cfi_escape 0x2e, 0x00
.Lthird:
	call bare
	call leaf
.Lfourth:
	call leaf
.Lend:
	.cfi_remember_state
	pop r12
	.cfi_def_cfa_offset 16
	pop rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
.Lcleanup:
	mov rdi, rax
	call _Unwind_Resume
.Lcatch:
	jmp .Lend
.Lfilter:
	ud2
.Lcode_end:
	.cfi_endproc
	.size run, . - run

.globl leaf
.type leaf,@function
leaf:
	.cfi_startproc
	ret
	.cfi_endproc

.type framed,@function
framed:
	.cfi_startproc
	push rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	mov rbp, rsp
	.cfi_def_cfa_register rbp
	pop rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc

.type bare,@function
bare:
	ret

.section .gcc_except_table,"a",@progbits
	.byte 0
.Ltable:
	.byte 255
	.byte 155
	.uleb128 .Ltypes - .Ltypes_base
.Ltypes_base:
	.byte 1
	.uleb128 .Lsites_end - .Lsites
.Lsites:
	.uleb128 .Lfirst - run
	.uleb128 .Lsecond - .Lfirst
	.uleb128 .Lcleanup - run
	.byte 0
	.uleb128 .Lsecond - run
	.uleb128 .Lthird - .Lsecond
	.uleb128 .Lcatch - run
	.byte 3
	.uleb128 .Lthird - run
	.uleb128 .Lfourth - .Lthird
	.byte 0
	.byte 0
	.uleb128 .Lfourth - run
	.uleb128 .Lend - .Lfourth
	.uleb128 .Lfilter - run
	.byte 1
.Lsites_end:
	.byte 0x7f, 0
	.byte 1, 0
	.balign 4
	.long 0
.Ltypes:
	.byte 0
	.balign 4

.section .data.DW.ref.rust_eh_personality,"aw",@progbits
.weak DW.ref.rust_eh_personality
.balign 8
.type DW.ref.rust_eh_personality,@object
DW.ref.rust_eh_personality:
	.quad rust_eh_personality
