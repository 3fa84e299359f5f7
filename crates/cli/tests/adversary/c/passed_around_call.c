// gcc calls a library function between storing two stack arguments, one of which is accessed only by an index.
//@ expect: right or refused unsupported or refused dynamic-stack
#include "collection.h"
struct small { uint8_t a[13]; };
typedef unsigned __int128 u128;
#ifdef __clang__
#define NI NOINLINE __attribute__((visibility("hidden")))
#else
#define NI __attribute__((noipa))
#endif
NI uint64_t spoil(volatile uint8_t *p, uint64_t n, uint64_t x) {
	for (uint64_t i = 0; i < n; i++) p[i] = x * (i + 3);
	return p[x % n];
}
NI uint64_t f(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t g, uint64_t h, uint64_t i, uint64_t q, struct small s) {
	uint8_t local[24];
	uint64_t r = spoil(local, sizeof local, a + i);
	s.a[i - 19] += 5;
	return r + s.a[i - 19] * 7 + local[i - 17] + b + c + d + e + g + h;
}
NI uint64_t call(struct small *p, uint64_t x, u128 m, u128 n) { return 1 + f(1, 2, 3, 4, 5, 6, 7, x, m / n, *p); }
uint64_t test(uint64_t x) {
	struct small s;
	for (int i = 0; i < 13; i++) s.a[i] = x * (i + 1);
	return call(&s, 19 + x % 13, (u128)x << 50, x + 3);
}
