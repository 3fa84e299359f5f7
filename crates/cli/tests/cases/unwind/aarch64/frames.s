# The tables of a function that signs its return address, and keeps registers in its frame.
//@ export: Run run
.globl run
.type run,@function
run:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Ltable
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset w30, -24
	.cfi_offset w29, -32
	stp x20, x19, [sp, #16]
	.cfi_offset w19, -8
	.cfi_offset w20, -16
	mov x29, sp
	.cfi_def_cfa w29, 32
.Lcall:
	bl leaf
.Lafter:
	.cfi_def_cfa wsp, 32
	ldp x20, x19, [sp, #16]
	ldp x29, x30, [sp], #32
	.cfi_def_cfa_offset 0
	.cfi_restore w19
	.cfi_restore w20
	.cfi_restore w29
	.cfi_restore w30
	ret
.Lcleanup:
	.cfi_def_cfa_offset 32
	bl leaf
	.cfi_endproc
	.size run, . - run

.type leaf,@function
leaf:
	.cfi_startproc
	ret
	.cfi_endproc

.section .gcc_except_table,"a",@progbits
.Ltable:
	.byte 255
	.byte 255
	.byte 1
	.uleb128 .Lsites_end - .Lsites
.Lsites:
	.uleb128 .Lcall - run
	.uleb128 .Lafter - .Lcall
	.uleb128 .Lcleanup - run
	.byte 0
.Lsites_end:
	.balign 4

.section .data.DW.ref.rust_eh_personality,"aw",@progbits
.weak DW.ref.rust_eh_personality
.balign 8
.type DW.ref.rust_eh_personality,@object
DW.ref.rust_eh_personality:
	.xword rust_eh_personality
