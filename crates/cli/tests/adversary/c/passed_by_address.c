// The caller writes a stack argument through its address, which is also passed in a register. The callee accesses the argument by an index.
//@ expect: right or refused unsupported
//@ expect arm64 gcc: right or refused unsupported or refused dynamic-stack
#include "collection.h"
struct hv { long double a[4]; };
static volatile uint64_t k;
#ifdef __clang__
#define SLOW __attribute__((optnone,noinline))
#else
#define SLOW __attribute__((optimize("O0"),noipa))
#endif
static NOINLINE uint64_t spoil(volatile uint8_t *p, uint64_t n, uint64_t x) {
	for (uint64_t i = 0; i < n; i++) p[i] = x * (i + 3);
	return p[x % n];
}
static SLOW uint64_t one(uint64_t x) { return x; }
static NOINLINE uint64_t f(double a, double b, double c, double d, double e, double g, struct hv s) {
	uint8_t local[64];
	uint64_t i = k;
	uint64_t r = spoil((uint8_t*)local, sizeof local, i);
	return r + ((uint8_t*)&s)[i - 33] + local[i - 33] * 5 + (uint64_t)(a + b + c + d + e + g);
}
static NOINLINE uint64_t call(struct hv *p) { return 1 + f(1, 2, 3, 4, 5, 6, *p); }
uint64_t test(uint64_t x) {
	struct hv t;
	memset(&t, 0, sizeof t);
	for (int i = 0; i < 64; i++) ((uint8_t*)&t)[i] = x * (i+1);
	k = 33 + x % 64;
	return call(&t);
}
