# Where control goes when calls unwind: to landing pads, to the caller, nowhere; with registers in the frame, kept in registers, and lost.
//@ export: Run run
.globl run
.type run,@function
run:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Ltable
	push rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
.Lbefore:
	call throws
	xor ebx, ebx
.Lpushed:
	push 1
	.cfi_adjust_cfa_offset 8
	push 2
	.cfi_adjust_cfa_offset 8
	.cfi_escape 0x2e, 0x10
	call throws
	add rsp, 16
	.cfi_adjust_cfa_offset -16
	.cfi_escape 0x2e, 0x00
.Lends:
	call throws
.Lleaves:
	call passes
	call first
.Lafter:
	call returns
	pop rbx
	.cfi_def_cfa_offset 8
	ret
.Lpad:
	.cfi_def_cfa_offset 16
	mov rdi, rax
	mov rsi, rdx
	call _Unwind_Resume
.Lend:
	.cfi_endproc
	.size run, . - run

.type throws,@function
throws:
	.cfi_startproc
	test edi, edi
	jne _Unwind_RaiseException
	ret
	.cfi_endproc

# Changes r12 without saving it, so r12 is lost.
.type passes,@function
passes:
	xor r12d, r12d
	sub rsp, 8
	call throws
	add rsp, 8
	ret

# The analysis learns that second returns before it learns that second unwinds: second unwinds only after first has returned.
.type first,@function
first:
	sub rsp, 8
	call second
	add rsp, 8
	ret

.type second,@function
second:
	sub rsp, 8
	test edi, edi
	je .Lout
	call first
	call _Unwind_RaiseException
.Lout:
	add rsp, 8
	ret

.type returns,@function
returns:
	ret

.section .gcc_except_table,"a",@progbits
.Ltable:
	.byte 255, 255, 1
	.uleb128 .Lsites_end - .Lsites
.Lsites:
	.uleb128 .Lbefore - run
	.uleb128 .Lends - .Lbefore
	.uleb128 .Lpad - run
	.byte 0
	.uleb128 .Lleaves - run
	.uleb128 .Lafter - .Lleaves
	.byte 0
	.byte 0
	.uleb128 .Lpad - run
	.uleb128 .Lend - .Lpad
	.byte 0
	.byte 0
.Lsites_end:
	.balign 4

.section .data.DW.ref.rust_eh_personality,"aw",@progbits
.weak DW.ref.rust_eh_personality
.balign 8
DW.ref.rust_eh_personality:
	.quad rust_eh_personality
