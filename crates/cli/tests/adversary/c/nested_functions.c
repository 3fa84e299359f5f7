// A nested function reads the outer function's variables through a pointer to the outer frame (the static chain), which is passed in a
// register: x18 on arm64.
//@ expect: right
//@ expect arm64: refused instruction
//@ expect clang: not compiled
#include "collection.h"

uint64_t test(uint64_t x) {
	uint64_t sum = 0, by = x & 7;
	NOINLINE void add(uint64_t n) { sum += n * by; }
	for (unsigned i = 0; i < 6; i++)
		add(x >> i);
	by++;
	add(3);
	return sum;
}
