// A pragma makes gcc keep values in scratch registers (-fipa-ra) during calls of a function with a stack check, even if the flags forbid it.
//@ expect: right or refused unsupported
//@ expect clang: right
#include "collection.h"
#pragma GCC optimize("ipa-ra")

static uint64_t counter;

static NOINLINE void bump(uint64_t n) {
	uint64_t before = counter;
	if (n & 1) {
		counter = before * 3;
		bump(n >> 1);
		counter ^= n;
		bump(n >> 2);
		counter += before;
	}
}

static NOINLINE uint64_t many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
	uint64_t g = a * b, h = c * d, i = e * f, j = a ^ f, k = b * e, l = c + 3 * f;
	uint64_t m = d * 7 + a, n = a * c * 5, o = a + 11 * e, p = b ^ c, q = c * 77, r = b * f;
	__asm__ volatile("" : "+r"(g), "+r"(h), "+r"(i), "+r"(j), "+r"(k), "+r"(l), "+r"(m), "+r"(n), "+r"(o), "+r"(p), "+r"(q), "+r"(r));
	bump(a & 15);
	return (g ^ 2) + (h ^ 4) * 3 + (i ^ 5) * 5 + (j ^ 6) * 7 + (k ^ 4) * 9 + (l ^ 5) * 11 + m * 13 + n * 19 + o * 3 + p * 7 + q * 23 + r * 17;
}

uint64_t test(uint64_t x) {
	counter = x;
	return many(x, x + 1, x * 3, x >> 3, x ^ 77, x * 5) + counter;
}
