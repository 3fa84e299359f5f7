// Constants are read by an index that is added to the address of a jump table.
//@ expect: refused unsupported
//@ expect arm64: right
#include "collection.h"

#ifdef __x86_64__
uint64_t go_to(uint64_t x, uint64_t which);
__asm__(".section .rodata\n.p2align 3\n"
	"tc_table:\n.long tc_0 - tc_table, tc_1 - tc_table\ntc_constants: .quad 77, 0x99887766, 3, 5\n.text\n.globl go_to\n.hidden go_to\n.type go_to, @function\ngo_to:\n"
	"leaq tc_table(%rip), %r10\nmovslq (%r10,%rsi,4), %rax\naddq %r10, %rax\nmovq %rdi, %rdx\nandl $3, %edx\naddq tc_constants-tc_table(%r10,%rdx,8), %rdi\njmp *%rax\n"
	"tc_0: leaq 1(%rdi), %rax\nret\n"
	"tc_1: leaq (%rdi,%rdi), %rax\nret\n.size go_to, .-go_to\n");
uint64_t test(uint64_t x) { return go_to(x, x & 1); }
#else
uint64_t test(uint64_t x) { return x + 1; }
#endif
