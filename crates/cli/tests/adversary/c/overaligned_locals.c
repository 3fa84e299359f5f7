// Locals that need more alignment than the stack has.
//@ expect: right
//@ expect arm64: right or refused dynamic-stack
#include "collection.h"

static NOINLINE uint64_t sum(const uint64_t *p, unsigned n, uintptr_t align) {
	uint64_t sum = (uintptr_t)p & (align - 1);
	for (unsigned i = 0; i < n; i++)
		sum = sum * 3 + p[i];
	return sum;
}

uint64_t test(uint64_t x) {
	__attribute__((aligned(64))) uint64_t wide[8];
	__attribute__((aligned(32))) uint64_t half[4];
	for (int i = 0; i < 8; i++)
		wide[i] = x >> i;
	for (int i = 0; i < 4; i++)
		half[i] = wide[i] + wide[7 - i];
	return sum(wide, 8, 64) + sum(half, 4, 32);
}
