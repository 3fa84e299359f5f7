// Recursion under a budget: direct, mutual, with stack arguments.
//@ expect: right
#include "collection.h"

static uint64_t odd(uint64_t n, uint64_t sum);
static NOINLINE uint64_t even(uint64_t n, uint64_t sum) { return n == 0 ? sum : odd(n - 1, sum * 3) + 1; }
static NOINLINE uint64_t odd(uint64_t n, uint64_t sum) { return n == 0 ? ~sum : even(n - 1, sum + 5) ^ 2; }
static NOINLINE uint64_t tree(unsigned depth, uint64_t x) {
	if (depth == 0)
		return x & 0xff;
	return tree(depth - 1, x * 3) + (tree(depth - 1, x >> 2) << 1);
}
static NOINLINE uint64_t wide(uint64_t n, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
	return n == 0 ? a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 : wide(n - 1, h, a, b, c, d, e, f, g) * 3;
}

uint64_t test(uint64_t x) { return even(x & 31, x) + tree(x & 7, x) + wide(x & 15, 1, 2, 3, 4, 5, 6, 7, x); }
