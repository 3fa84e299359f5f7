// More arguments than argument registers, of several kinds.
//@ expect: right
//@ expect arm64: right or refused unsupported
#include "collection.h"

static NOINLINE uint64_t many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, unsigned char i, short j,
	uint64_t k, double l, float m) {
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9u + (uint64_t)j * 10 + k * 11 + (uint64_t)l + (uint64_t)m;
}
static NOINLINE double doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j) {
	return a - b + c * d - e + f * g - h + i * 2 + j * 3;
}
static NOINLINE uint64_t changed(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i) {
	uint64_t *own = &i;
	while (*own > 9)
		*own >>= 1;
	return many(b, c, d, e, f, g, h, a, (unsigned char)i, (short)a, i, 1.5, 2.5f);
}

uint64_t test(uint64_t x) {
	double d = (double)(x & 0xff);
	return changed(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8) + (uint64_t)(int64_t)doubles(d, 2, d, 4, 5, d, 7, 8, d, 10);
}
