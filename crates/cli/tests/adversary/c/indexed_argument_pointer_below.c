// A function is called through a pointer. It calls a function that aligns its frame, and indexes its argument from an address below the argument.
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
static NOINLINE uint64_t indexed(struct many s, int64_t i) {
	return s.a[i - 19] + aligned(i);
}
static uint64_t (*volatile pointer)(struct many, int64_t) = indexed;
uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i] = x * (i + 1);
	return pointer(s, 19 + (x & 7));
}
