# Code that runs before the program is accepted in an object that is not linked, and in std, whose constructor only stores the program's
# arguments. An empty .preinit_array and code that runs after the program (.fini_array) are accepted too.
//@ member: crate.rcgu
//@ export: Entry entry
	.section .text.entry,"ax",@progbits
	.type entry,@function
entry:
	ret
	.section .text.args,"ax",@progbits
	.type _ZN3std3sys4args3imp15ARGV_INIT_ARRAY11really_init17h0123456789abcdefE,@function
_ZN3std3sys4args3imp15ARGV_INIT_ARRAY11really_init17h0123456789abcdefE:
	ret
	.section .init_array.00099,"aw",@init_array
	.p2align 3
	.quad _ZN3std3sys4args3imp15ARGV_INIT_ARRAY11really_init17h0123456789abcdefE
	.section .preinit_array,"aw",@preinit_array
	.section .fini_array,"aw",@fini_array
	.p2align 3
	.quad _ZN3std3sys4args3imp15ARGV_INIT_ARRAY11really_init17h0123456789abcdefE
//@ member: native
	.section .text.set,"ax",@progbits
	.globl set
	.type set,@function
set:
	ret
	.section .init_array,"aw",@init_array
	.p2align 3
	.quad set
