// A jump table whose entries another function reads as numbers.
//@ expect: refused unsupported
//@ expect arm64: right
#include "collection.h"

#ifdef __x86_64__
extern const int te_table[] __attribute__((visibility("hidden")));
uint64_t go_to(uint64_t x, uint64_t which);
__asm__(".section .rodata\n.p2align 3\n.globl te_table\n.hidden te_table\n"
	"te_table:\n.long .Lte_0 - te_table, .Lte_1 - te_table\n.text\n.globl go_to\n.hidden go_to\n.type go_to, @function\ngo_to:\n"
	"leaq te_table(%rip), %r10\nmovslq (%r10,%rsi,4), %rax\naddq %r10, %rax\njmp *%rax\n"
	".Lte_0: leaq 1(%rdi), %rax\nret\n"
	".Lte_1: leaq (%rdi,%rdi), %rax\nret\n.size go_to, .-go_to\n");
uint64_t test(uint64_t x) { const int *volatile t = te_table; return go_to(x, x & 1) + (uint64_t)(t[1] - t[0]); }
#else
uint64_t test(uint64_t x) { return x + 1; }
#endif
