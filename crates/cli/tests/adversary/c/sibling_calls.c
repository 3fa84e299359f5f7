// Calls at the end of functions, which become jumps after the frame is removed. The callees take more or fewer arguments than the callers.
//@ expect: right
#include "collection.h"

static NOINLINE uint64_t last(uint64_t a, uint64_t b, uint64_t c) { return a + b * 3 + c * 5; }
static NOINLINE uint64_t more(uint64_t a) { return last(a, a + 1, a ^ 2); }
static NOINLINE uint64_t fill(uint64_t *to, uint64_t a) {
	for (int i = 0; i < 5; i++)
		to[i] = a >> i;
	return to[a & 3];
}
static NOINLINE uint64_t framed(uint64_t a) {
	uint64_t room[5];
	uint64_t picked = fill(room, a);
	return more(picked + room[4]);
}
static NOINLINE uint64_t chosen(uint64_t a, uint64_t b) {
	if (a & 1)
		return more(b);
	if (a & 2)
		return last(b, a, 4);
	return framed(a ^ b);
}
extern uint64_t visible(uint64_t a, uint64_t b);
NOINLINE uint64_t visible(uint64_t a, uint64_t b) { return chosen(b, a); }

uint64_t test(uint64_t x) { return visible(x, x * 7); }
