// The caller does not write the first word of the stack arguments, because the callee does not use it.
//@ expect: right
#include "collection.h"
struct many { int64_t a[10]; };
static NOINLINE void fill(volatile uint64_t *p, uint64_t x) {
	for (int i = 0; i < 4; i++) p[i] = x * i;
}
static NOINLINE uint64_t aligned(uint64_t x) {
	_Alignas(64) uint64_t b[8];
	fill(b, x);
	return b[1] * 5 + b[3] + ((uintptr_t)b & 63);
}
NOINLINE __attribute__((visibility("hidden"))) uint64_t by_operand(int64_t i, int64_t b, int64_t c, int64_t d, int64_t e, int64_t g, int64_t unused, struct many s) {
	return s.a[i - 19] + aligned(i);
}
uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i] = x * (i + 1);
	return by_operand(19 + x % 10, 1, 2, 3, 4, 5, 6, s);
}
