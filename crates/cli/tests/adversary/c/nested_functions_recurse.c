// A recursive nested function. Its stack check must preserve the static chain (a pointer to the outer frame), which is in r10 on x86-64. So must
// an instruction before the call for which lowering needs a register, to hold the address of an aligned table.
//@ expect: right
//@ expect arm64: refused instruction
//@ expect clang: not compiled
#include "collection.h"

static uint64_t table[8] __attribute__((aligned(64)));

uint64_t test(uint64_t x) {
	uint64_t sum = x, by = x & 7;
	NOINLINE void add(uint64_t n, uint64_t m) {
		sum += n * by + m;
		if (n > 1) {
			add(n / 2, m);
			add(n / 3, m + 1);
		}
	}
	for (unsigned i = 0; i < 8; i++)
		table[i] = x >> i;
	add(x & 63, table[x & 7]);
	by++;
	add(3, table[5]);
	return sum;
}
