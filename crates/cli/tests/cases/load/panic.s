# The search for reachable code ends at the panic entry. Without std, the panic handler is a function of the support crate that calls the entry.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	call _RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	call rustgo_panic@PLT
	ud2
	.section .text.begin,"ax",@progbits
	.type _RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,@function
_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind:
	pushq %rax
	call *rustgo_panic@GOTPCREL(%rip)
	.section .text.format,"ax",@progbits
	.globl rustgo_format_panic
	.type rustgo_format_panic,@function
rustgo_format_panic:
	ret
