// Stack arguments are accessed only by an index from an address inside the frame. The function does not align its frame but calls a
// function that does. The tool pads calls of such functions, so that SP modulo 64 is the same at each call. Here the padding would be
// between a function and its stack arguments.
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
static NOINLINE uint64_t by_operand(struct many s, int64_t i) {
	return s.a[i - 19] + aligned(i);
}
static NOINLINE uint64_t by_loop(struct many s, int64_t i) {
	uint64_t r = aligned(i);
	for (int64_t k = i; k < i + 9; k++) r = r * 31 + s.a[k - i + (i & 1)];
	return r;
}
static NOINLINE uint64_t by_store(struct many s, int64_t i) {
	s.a[i - 30] += aligned(i);
	return s.a[i - 30] ^ aligned(i + 1);
}
static NOINLINE uint64_t handed_on(struct many s, int64_t i) {
	return by_operand(s, i + 1);
}

uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i] = x * (i + 1);
	uint64_t r = by_operand(s, 19 + x % 10);
	r = r * 3 + by_loop(s, 7 + x % 5);
	r = r * 3 + by_store(s, 30 + x % 10);
	return r * 3 + handed_on(s, 18 + x % 10);
}
