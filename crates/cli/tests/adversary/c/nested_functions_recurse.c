// A recursive nested function: its stack check preserves the static chain, which is r10 on x86-64. So does an instruction between the one
// that sets the chain and the call, though it needs a register for the address of an aligned table.
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
