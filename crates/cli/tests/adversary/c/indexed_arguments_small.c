// Structs with arrays are passed on the stack, even in AAPCS64, and are accessed only by indexes. gcc moves constants from the indexes into
// the addresses, which are then below the structs.
//@ expect: right
//@ expect arm64 gcc Og: right or refused dynamic-stack
#include "collection.h"

struct small { uint8_t a[13]; };
struct floats { double a[4]; };

static NOINLINE uint64_t spoil(volatile uint8_t *p, uint64_t n, uint64_t x) {
	for (uint64_t i = 0; i < n; i++) p[i] = x * (i + 3);
	return p[x % n];
}
static NOINLINE uint64_t alone(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t i, struct small s) {
	return a + b + c * 3 + d + e + f + g + s.a[i - 9];
}
static NOINLINE uint64_t beside(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t i, struct small s) {
	uint8_t local[24];
	uint64_t r = spoil(local, sizeof local, a + i);
	s.a[i - 19] += 5;
	return r + s.a[i - 19] * 7 + local[i - 17] + b + c + d + e + f + g;
}
static NOINLINE uint64_t loop(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t i, struct small s) {
	uint8_t local[40];
	uint64_t r = spoil(local, sizeof local, a + i);
	for (uint64_t k = i; k < i + 13; k++) r = r * 31 + s.a[k - i];
	for (int k = 25 + 12; k >= 25; k--) r = r * 31 + s.a[k - 25] + local[k - 20];
	return r + b + c + d + e + f + g;
}
static NOINLINE uint64_t real(double a, double b, double c, double d, double e, double f, uint64_t i, struct floats s) {
	uint8_t local[24];
	uint64_t r = spoil(local, sizeof local, i);
	s.a[i - 33] += 1;
	return r + (uint64_t)(s.a[i - 33] + a + b + c + d + e + f);
}

uint64_t test(uint64_t x) {
	struct small s;
	struct floats t;
	for (int i = 0; i < 13; i++) s.a[i] = x * (i + 1);
	for (int i = 0; i < 4; i++) t.a[i] = (x >> 3 & 255) + i;
	uint64_t r = alone(x, 1, 2, 3, 4, 5, 6, 9 + x % 13, s);
	r = r * 3 + beside(x, 1, 2, 3, 4, 5, 6, 19 + x % 13, s);
	r = r * 3 + loop(x, 1, 2, 3, 4, 5, 6, 3 + x % 13, s);
	return r * 3 + real(1, 2, 3, 4, 5, 6, 33 + x % 4, t);
}
