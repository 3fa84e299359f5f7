# A constructor in a Rust object that nothing reaches: rustc links #[used] statics all the same.
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	ret
//@ member: plugin.rcgu
	.section .text.register,"ax",@progbits
	.globl register
	.type register,@function
register:
	ret
	.section .init_array.00099,"aw",@init_array
	.p2align 3
	.quad register
