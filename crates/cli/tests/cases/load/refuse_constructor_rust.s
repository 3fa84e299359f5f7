# The same in an object of Rust's of which nothing is reached: rustc links what is marked #[used].
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
