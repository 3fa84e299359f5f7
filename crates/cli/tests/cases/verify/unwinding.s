# Calls that may unwind, with a record of each kind: to a landing pad, to a landing pad at which SP is higher than after the call, and to the caller.
# Each function changes a register that it has saved.
//@ export: Run run
	.section .text.run,"ax",@progbits
	.globl run
	.type run,@function
run:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lrun_table
	push rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	mov rbx, rsi
	mov rdi, qword ptr [rdi]
.Lcall:
	call framed
.Lcalled:
	mov qword ptr [rbx], rax
	pop rbx
	.cfi_def_cfa_offset 8
	ret
.Lrun_pad:
	.cfi_def_cfa_offset 16
	mov rdi, rax
	call rustgo_unwound@PLT
	ud2
	.cfi_endproc
	.size run, . - run

	.section .text.framed,"ax",@progbits
	.type framed,@function
framed:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lframed_table
	push rbp
	.cfi_def_cfa_offset 16
	push r12
	.cfi_def_cfa_offset 24
	sub rsp, 24
	.cfi_def_cfa_offset 48
	.cfi_offset r12, -24
	.cfi_offset rbp, -16
	mov r12, rdi
	xor ebp, ebp
.Lleaves:
	call throws
	xor edi, edi
.Llands:
	push 1
	.cfi_adjust_cfa_offset 8
	push 2
	.cfi_adjust_cfa_offset 8
	.cfi_escape 0x2e, 0x10
	call throws
	add rsp, 16
	.cfi_adjust_cfa_offset -16
	.cfi_escape 0x2e, 0x00
.Lafter:
	mov rax, r12
	add rsp, 24
	.cfi_def_cfa_offset 24
	pop r12
	.cfi_def_cfa_offset 16
	pop rbp
	.cfi_def_cfa_offset 8
	ret
.Lframed_pad:
	.cfi_def_cfa_offset 48
	mov rdi, rax
	call _Unwind_Resume@PLT
	ud2
.Lframed_end:
	.cfi_endproc
	.size framed, . - framed

	.section .text.throws,"ax",@progbits
	.type throws,@function
throws:
	.cfi_startproc
	test edi, edi
	je .Lnot
	push rax
	.cfi_def_cfa_offset 16
	call rustgo_raise@PLT
	ud2
.Lnot:
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size throws, . - throws

	.section .text.rustgo_format_panic,"ax",@progbits
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	ret
	.size rustgo_format_panic, . - rustgo_format_panic

	.section .gcc_except_table,"a",@progbits
.Lrun_table:
	.byte 255, 255, 1
	.uleb128 .Lrun_sites_end - .Lrun_sites
.Lrun_sites:
	.uleb128 .Lcall - run
	.uleb128 .Lcalled - .Lcall
	.uleb128 .Lrun_pad - run
	.byte 0
.Lrun_sites_end:
.Lframed_table:
	.byte 255, 255, 1
	.uleb128 .Lframed_sites_end - .Lframed_sites
.Lframed_sites:
	.uleb128 .Lleaves - framed
	.uleb128 .Llands - .Lleaves
	.byte 0
	.byte 0
	.uleb128 .Llands - framed
	.uleb128 .Lafter - .Llands
	.uleb128 .Lframed_pad - framed
	.byte 0
	.uleb128 .Lframed_pad - framed
	.uleb128 .Lframed_end - .Lframed_pad
	.byte 0
	.byte 0
.Lframed_sites_end:
	.balign 4

	.section .data.DW.ref.rust_eh_personality,"aw",@progbits
	.weak DW.ref.rust_eh_personality
	.balign 8
DW.ref.rust_eh_personality:
	.quad rust_eh_personality
