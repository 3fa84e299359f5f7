// Loops that become vector instructions, with tails of every length, over bytes, floats and conversions.
//@ expect: right
#include "collection.h"

static NOINLINE uint64_t bytes(const unsigned char *restrict from, unsigned char *restrict to, unsigned n) {
	uint64_t sum = 0;
	for (unsigned i = 0; i < n; i++) {
		to[i] = from[i] > 100 ? from[i] - 100 : from[i] * 2;
		sum += to[i];
	}
	return sum;
}
static NOINLINE float dot(const float *restrict a, const unsigned char *restrict b, unsigned n) {
	float sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}
static NOINLINE uint32_t largest(const uint32_t *p, unsigned n) {
	uint32_t most = 0;
	for (unsigned i = 0; i < n; i++)
		most = p[i] > most ? p[i] : most;
	return most;
}

uint64_t test(uint64_t x) {
	unsigned char from[67], to[67];
	float f[67];
	uint32_t words[67];
	for (unsigned i = 0; i < 67; i++) {
		from[i] = (unsigned char)(x >> (i & 31)) + i;
		f[i] = (float)(int)(i - 30) * 0.25f;
		words[i] = (uint32_t)(x * (i + 1));
	}
	unsigned n = (unsigned)(x % 68);
	return bytes(from, to, n) + (uint64_t)(int64_t)(dot(f, to, n) * 4) * 3 + largest(words, n);
}
