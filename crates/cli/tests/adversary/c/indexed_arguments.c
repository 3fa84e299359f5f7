// Stack arguments are accessed only by an index from an address inside the frame. The function aligns its frame and is called by name.
//@ expect: right
#include "collection.h"

struct many { int64_t a[10]; };

static NOINLINE void fill(volatile uint64_t *p, uint64_t x) {
	for (int i = 0; i < 4; i++) p[i] = x * i;
}
static NOINLINE uint64_t indexed(struct many s, int64_t i) {
	_Alignas(32) uint64_t b[4];
	fill(b, i);
	return s.a[i - 9] + b[1] + ((uintptr_t)b & 31);
}

uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i] = x * (i + 1);
	return indexed(s, 9 + (x & 7)) + indexed(s, 10 + (x & 3)) * 3;
}
