// An array of variable length, so that the frame's size is not constant.
//@ expect: refused dynamic-stack
#include "collection.h"

static NOINLINE uint64_t sum(unsigned n, uint64_t x) {
	volatile uint64_t room[n];
	for (unsigned i = 0; i < n; i++)
		room[i] = x + i;
	return room[0] + room[n - 1];
}

uint64_t test(uint64_t x) { return sum((unsigned)(x & 31) + 1, x); }
