// Assembly defines a table in the section of code. Its symbol has no type, and a static pointer holds its address. Nothing calls the symbol.
//@ expect: refused unsupported
#include "collection.h"

extern const uint64_t look_table[4] __attribute__((visibility("hidden")));
static const uint64_t *volatile where = look_table;
__asm__(".text\n.p2align 3\n.globl look_table\n.hidden look_table\nlook_table: .quad 0x90909090, 0xc3c3c3, 7, 0xd65f03c0d65f03c0\n");

uint64_t test(uint64_t x) { return where[x & 3]; }
