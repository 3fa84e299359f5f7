// Constants are read at a distance from the address of a jump table, as in hand-written assembly: [base - table + constant].
//@ expect: refused unsupported
//@ expect arm64: right
#include "collection.h"

#ifdef __x86_64__
uint64_t go_to(uint64_t x, uint64_t which);
__asm__(".section .rodata\n.p2align 3\nconstant0: .quad 0x1234567\n"
	"tb_table:\n.long .Ltb_0 - tb_table, .Ltb_1 - tb_table, .Ltb_2 - tb_table, .Ltb_3 - tb_table\nconstant1: .quad 77\nconstant2: .quad 0x99887766\n.text\n.globl go_to\n.hidden go_to\n.type go_to, @function\ngo_to:\n"
	"leaq tb_table(%rip), %r10\nmovslq (%r10,%rsi,4), %rax\naddq %r10, %rax\naddq constant1-tb_table(%r10), %rdi\njmp *%rax\n"
	".Ltb_0: leaq 1(%rdi), %rax\naddq constant2-tb_table(%r10), %rax\nret\n"
	".Ltb_1: leaq (%rdi,%rdi), %rax\nsubq constant0-tb_table(%r10), %rax\nret\n"
	".Ltb_2: movq %rdi, %rax\nxorq constant2-tb_table(%r10), %rax\nret\n"
	".Ltb_3: imulq constant1-tb_table(%r10), %rdi\nmovq %rdi, %rax\nret\n.size go_to, .-go_to\n");
uint64_t test(uint64_t x) { return go_to(x, x & 3); }
#else
uint64_t test(uint64_t x) { return x + 1; }
#endif
