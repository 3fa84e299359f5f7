// Counts of bits and of leading and trailing zeros, reversed bytes, rotations.
//@ expect: right
#include "collection.h"

static NOINLINE uint64_t rotate(uint64_t x, unsigned n) { return x << (n & 63) | x >> (-n & 63); }

uint64_t test(uint64_t x) {
	uint64_t y = x | 1, sum = __builtin_popcountll(x) + __builtin_clzll(y) * 3 + __builtin_ctzll(y << (x & 31)) * 5;
	sum += __builtin_parityll(x) + __builtin_ffsll((long long)x) * 7 + __builtin_clz((unsigned)x | 1);
	return sum + __builtin_bswap64(x) + __builtin_bswap32((uint32_t)x) * 3 + rotate(x, (unsigned)sum) + __builtin_clrsbll((long long)x);
}
