// The address of the first stack argument is copied to all elements of a vector register, which is stored as several pointers.
//@ expect: right or refused unsupported or refused dynamic-stack
#include "collection.h"
struct pp { double *a[8]; };
#ifdef __clang__
#define NI NOINLINE
#else
#define NI __attribute__((noipa))
#endif
static NI uint64_t use(struct pp *p, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e) { return *p->a[0] * 3 + (*p->a[3] += 7) + a + b + c + d + e; }
static NI uint64_t f(double a, double b, double c, double d, double e, double g, double h, double i, double s) {
	struct pp p;
	for (int j = 0; j < 8; j++) p.a[j] = &s;
	return use(&p, 1, 2, 3, 4, 5) + (uint64_t)(a + b + c + d + e + g + h + i);
}
uint64_t test(uint64_t x) {
	return 1 + f(1, 2, 3, 4, 5, 6, 7, 8, x & 255);
}
