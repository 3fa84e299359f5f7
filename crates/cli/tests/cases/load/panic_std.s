# If the crate links std, the panic entry replaces std's panic handler, whichever symbol a reference uses.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	call _RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	call .text.begin
	leaq handlers(%rip), %rax
	ud2
	.section .text.begin,"ax",@progbits
	.type _RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,@function
_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind:
	jmp _RNvNtCsjrHSEGnQ3l9_3std9panicking15panic_with_hook
	.section .text.hook,"ax",@progbits
	.type _RNvNtCsjrHSEGnQ3l9_3std9panicking15panic_with_hook,@function
_RNvNtCsjrHSEGnQ3l9_3std9panicking15panic_with_hook:
	call write@PLT
	ud2
	.section .data.rel.ro.handlers,"aw",@progbits
handlers:
	.quad _RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
