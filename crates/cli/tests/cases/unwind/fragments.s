# Functions with a fragment, where tables describe only a part of the code: calls in the rest leave the function, as in a function without tables.
//@ export: Run run
.globl run
.type run,@function
run:
	call both
	call only_function
	call only_fragment
	call no_function
	call no_fragment
	call neither
	call wrong_fragment
	ret

# The tables of a part: `sites` with a landing pad, `none` without call sites, `no` without an entry, `wrong` with call sites of another language.
.macro open part, kind
	.ifnc \kind, no
	.cfi_startproc
	.cfi_def_cfa_offset 32
	.endif
	.ifc \kind, sites
	.cfi_personality 155, DW.ref.rust_eh_personality
	.cfi_lsda 27, .Ltable_\part
	.endif
	.ifc \kind, wrong
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Ltable_\part
	.endif
.endm

.macro close part, kind
	.ifc \kind, sites
.Lpad_\part:
	mov rdi, rax
	call _Unwind_Resume
	.endif
.Lend_\part:
	.ifnc \kind, no
	.cfi_endproc
	.endif
	.section .gcc_except_table,"a",@progbits
.Ltable_\part:
	.byte 255, 255, 1
	.uleb128 .Lsites_end_\part - .Lsites_\part
.Lsites_\part:
	.ifc \kind, sites
	.uleb128 .Lcall_\part - .Lstart_\part
	.uleb128 .Lafter_\part - .Lcall_\part
	.uleb128 .Lpad_\part - .Lstart_\part
	.byte 0
	.uleb128 .Lpad_\part - .Lstart_\part
	.uleb128 .Lend_\part - .Lpad_\part
	.byte 0, 0
	.endif
.Lsites_end_\part:
.endm

.macro function name, hot, cold
	.section .text.\name,"ax",@progbits
	.type \name,@function
\name:
.Lstart_\name:
	open \name, \hot
	sub rsp, 24
.Lcall_\name:
	call throws
.Lafter_\name:
	test edi, edi
	jne \name\().cold
.Lback_\name:
	add rsp, 24
	ret
	close \name, \hot

	.section .text.unlikely.\name,"ax",@progbits
	.type \name\().cold,@function
\name\().cold:
.Lstart_\name\()_cold:
	open \name\()_cold, \cold
.Lcall_\name\()_cold:
	call throws
.Lafter_\name\()_cold:
	jmp .Lback_\name
	close \name\()_cold, \cold
.endm

	function both, sites, sites
	function only_function, sites, none
	function only_fragment, none, sites
	function no_function, no, sites
	function no_fragment, sites, no
	function neither, none, no
	function wrong_fragment, no, wrong

	.section .text.throws,"ax",@progbits
	.type throws,@function
throws:
	test edi, edi
	jne _Unwind_RaiseException
	ret

	.macro cell name, personality
	.section .data.\name,"aw",@progbits
	.weak \name
	.balign 8
\name:
	.quad \personality
	.endm
	cell DW.ref.rust_eh_personality, rust_eh_personality
	cell DW.ref.__gxx_personality_v0, __gxx_personality_v0
