// After a branch, a pointer holds either the address of the first stack argument or another address.
//@ expect: right or refused unsupported or refused dynamic-stack
#include "collection.h"
volatile uint64_t count;
NOINLINE uint64_t g1(uint64_t x) { return count += x; }
NOINLINE uint64_t f(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t g, uint64_t h, volatile uint64_t *o, volatile uint64_t s) {
	volatile uint64_t *p = o;
	if (a & 1) { g1(b); p = &s; }
	return *p + g1(c);
}
uint64_t test(uint64_t x) {
	uint64_t o = x * 3;
	count = x;
	return f(x, 2, 3, 4, 5, 6, 7, &o, x * 77);
}
