// Assembly defines a table in the section of code, and C code reads it. If the section contains nothing else, the table counts as data.
//@ expect: right or refused unsupported or refused decode
#include "collection.h"

extern const uint64_t look_table[4] __attribute__((visibility("hidden")));
__asm__(".text\n.p2align 3\n.globl look_table\n.hidden look_table\n.type look_table, %object\n"
	"look_table: .quad 0x90909090, 0xc3c3c3, 7, 0xd65f03c0d65f03c0\n.size look_table, 32\n");

uint64_t test(uint64_t x) { return look_table[x & 3]; }
