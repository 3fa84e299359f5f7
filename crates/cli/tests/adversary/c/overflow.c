// Arithmetic that reports overflow.
//@ expect: right
#include "collection.h"

static NOINLINE int add(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }
static NOINLINE int mul(uint64_t a, uint64_t b, uint64_t *r) { return __builtin_mul_overflow(a, b, r); }
static NOINLINE int sub(int64_t a, int64_t b, short *r) { return __builtin_sub_overflow(a, b, r); }

uint64_t test(uint64_t x) {
	int r;
	uint64_t p;
	short s;
	uint64_t flags = add((int)x, (int)(x >> 7), &r) + mul(x, x | 1, &p) * 2 + sub((int64_t)x, 100, &s) * 4;
	unsigned char c;
	flags += __builtin_add_overflow((unsigned char)x, (unsigned char)200, &c) * 8;
	return flags + (uint64_t)r * 16 + p + (uint64_t)s + c;
}
