// Calls that may unwind, with a record of each kind: to a landing pad, and to the caller. The function `framed` saves and changes general and vector
// registers.
//@ export: Run run
	.section .text.run,"ax",@progbits
	.globl run
	.type run,@function
run:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lrun_table
	stp x30, x19, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset w19, -8
	.cfi_offset w30, -16
	mov x19, x1
	ldr x0, [x0]
.Lcall:
	bl framed
.Lcalled:
	str x0, [x19]
	ldp x30, x19, [sp], #16
	.cfi_def_cfa_offset 0
	ret
.Lrun_pad:
	.cfi_def_cfa_offset 16
	bl rustgo_unwound
	brk #1
	.cfi_endproc
	.size run, . - run

	.section .text.framed,"ax",@progbits
	.type framed,@function
framed:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lframed_table
	stp d9, d8, [sp, #-64]!
	.cfi_def_cfa_offset 64
	stp x29, x30, [sp, #16]
	stp x22, x21, [sp, #32]
	stp x20, x19, [sp, #48]
	.cfi_offset w19, -8
	.cfi_offset w20, -16
	.cfi_offset w21, -24
	.cfi_offset w22, -32
	.cfi_offset w30, -40
	.cfi_offset w29, -48
	.cfi_offset b8, -56
	.cfi_offset b9, -64
	mov x19, x0
	mov x21, xzr
	mov x29, xzr
	fmov d8, #1.0
.Lleaves:
	bl throws
	mov x0, xzr
.Llands:
	bl throws
.Lafter:
	mov x0, x19
	ldp x20, x19, [sp, #48]
	ldp x22, x21, [sp, #32]
	ldp x29, x30, [sp, #16]
	ldp d9, d8, [sp], #64
	.cfi_def_cfa_offset 0
	ret
.Lframed_pad:
	.cfi_def_cfa_offset 64
	bl _Unwind_Resume
	brk #1
.Lframed_end:
	.cfi_endproc
	.size framed, . - framed

	.section .text.throws,"ax",@progbits
	.type throws,@function
throws:
	.cfi_startproc
	cbz w0, .Lnot
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset w30, -16
	bl rustgo_raise
	brk #1
.Lnot:
	.cfi_def_cfa_offset 0
	.cfi_restore w30
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
	.xword rust_eh_personality
