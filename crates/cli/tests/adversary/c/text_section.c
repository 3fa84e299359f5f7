// A table is in a section of its own, which is marked as code.
//@ expect: right
#include "collection.h"

__attribute__((section(".text.table#"))) static const uint64_t look_table[4] = {5, 6, 7, 0xc3c3};
static NOINLINE uint64_t look(const uint64_t *p, uint64_t x) { return p[x & 3]; }

uint64_t test(uint64_t x) { return look(look_table, x) + look_table[x >> 2 & 3]; }
