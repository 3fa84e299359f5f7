// Functions are called through a table that contains their distances from the table.
//@ expect: refused unsupported
#include "collection.h"

uint64_t f0(uint64_t x) { return x + 1; }
uint64_t f1(uint64_t x) { return x * 3; }
uint64_t dispatch(uint64_t x, uint64_t which);
#ifdef __x86_64__
__asm__(".section .rodata\n.p2align 2\nreltab:\n.long f0 - reltab, f1 - reltab\n.text\n.globl dispatch\n.hidden dispatch\n.type dispatch, @function\ndispatch:\n"
	"leaq reltab(%rip), %rax\nmovslq (%rax,%rsi,4), %rcx\naddq %rax, %rcx\nsubq $8,%rsp\ncall *%rcx\naddq $8,%rsp\nret\n.size dispatch, .-dispatch\n");
#else
__asm__(".section .rodata\n.p2align 2\nreltab:\n.word f0 - reltab, f1 - reltab\n.text\n.globl dispatch\n.hidden dispatch\n.type dispatch, %function\ndispatch:\nstp x29, x30, [sp, #-16]!\nadrp x9, reltab\nadd x9, x9, :lo12:reltab\nldrsw x10, [x9, x1, lsl #2]\nadd x10, x9, x10\nblr x10\nldp x29, x30, [sp], #16\nret\n.size dispatch, .-dispatch\n");
#endif
__attribute__((visibility("hidden"))) uint64_t f0(uint64_t), f1(uint64_t);
uint64_t test(uint64_t x) { return dispatch(x, x & 1); }
