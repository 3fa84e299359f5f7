# A linked object has code that runs before the program: C's __attribute__((constructor)), Rust's
# #[link_section = ".init_array"].
//@ member: crate
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	jmp set
	.globl set
//@ member: native
	.section .text.set,"ax",@progbits
	.globl set
	.type set,@function
set:
	ret
	.section .text._ZN6native5begin17h0123456789abcdefE,"ax",@progbits
	.type _ZN6native5begin17h0123456789abcdefE,@function
_ZN6native5begin17h0123456789abcdefE:
	ret
	.section .init_array,"aw",@init_array
	.p2align 3
	.quad _ZN6native5begin17h0123456789abcdefE
