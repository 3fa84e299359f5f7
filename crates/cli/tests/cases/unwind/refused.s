# Functions whose tables are not understood, or do not describe exactly one function. The listing gives the reasons. The functions stay usable,
# because nothing unwinds them.
//@ export: Run run
.globl run
.type run,@function
run:
	call cpp
	call typed
	call outside
	call overlapping
	call short
	call computed
	call twice
	call foreign_place
	call longer
	call rest_of_longer
	call late
	call shared
	call rest_of_shared
	ret

.macro function name, personality, table
.type \name,@function
\name:
	.cfi_startproc
	.cfi_personality 155, \personality
	.cfi_lsda 27, \table
	ret
	nop
	.cfi_endproc
	.size \name, . - \name
.endm

	function cpp, DW.ref.__gxx_personality_v0, .Lgood
	function typed, DW.ref.rust_eh_personality, .Ltyped
	function outside, DW.ref.rust_eh_personality, .Loutside
	function overlapping, DW.ref.rust_eh_personality, .Loverlapping
	function short, DW.ref.rust_eh_personality, .Lshort
	function foreign_place, DW.ref.rust_eh_personality, missing

.type longer,@function
longer:
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lgood
	ret
.type rest_of_longer,@function
rest_of_longer:
	ret
	.cfi_endproc

.type late,@function
late:
	nop
	.cfi_startproc
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Lgood
	nop
	ret
	.cfi_endproc

# Without landing pads such a table refuses nothing.
.type shared,@function
shared:
	.cfi_startproc
	ret
.type rest_of_shared,@function
rest_of_shared:
	ret
	.cfi_endproc

.type computed,@function
computed:
	.cfi_startproc
	.cfi_escape 0x0f, 0x03, 0x77, 0x08, 0x06
	ret
	.cfi_endproc

.type twice,@function
twice:
	.cfi_startproc
	ret
	.cfi_endproc

.section .eh_frame,"a",@progbits
.Lcie:
	.long .Lcie_end - .Lcie_id
.Lcie_id:
	.long 0
	.byte 1
	.asciz "zR"
	.uleb128 1
	.sleb128 -8
	.uleb128 16
	.uleb128 1
	.byte 0x1b
	.byte 0x0c, 7, 8
	.byte 0x90, 1
	.balign 4
.Lcie_end:
	.long .Lfde_end - .Lfde_id
.Lfde_id:
	.long .Lfde_id - .Lcie
	.long twice - .
	.long 1
	.uleb128 0
	.balign 4
.Lfde_end:

.section .gcc_except_table,"a",@progbits
.Lgood:
	.byte 255, 255, 1, 4, 0, 1, 1, 0
.Ltyped:
	.byte 255, 155, 13, 1, 4, 0, 1, 1, 1, 1, 0
	.balign 4
	.long type - .
.Loutside:
	.byte 255, 255, 1, 4, 0, 1, 2, 0
.Loverlapping:
	.byte 255, 255, 1, 8, 0, 2, 1, 0, 1, 1, 1, 0
.Lshort:
	.byte 255, 255, 1, 80, 0, 1, 1, 0

.macro cell name, personality
.section .data.\name,"aw",@progbits
.weak \name
.balign 8
\name:
	.quad \personality
.endm
	cell DW.ref.rust_eh_personality, rust_eh_personality
	cell DW.ref.__gxx_personality_v0, __gxx_personality_v0
