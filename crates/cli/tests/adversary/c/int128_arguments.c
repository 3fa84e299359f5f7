// Arguments that are 128-bit integers: in pairs of registers, and aligned on the stack.
//@ expect: right
//@ expect arm64: right or refused unsupported
#include "collection.h"

typedef unsigned __int128 u128;

static NOINLINE u128 mixed(uint64_t a, u128 b, uint64_t c, u128 d, uint64_t e, u128 f, u128 g) { return a + b * 3 + c + d * 5 + e + f * 7 + (g ^ 9); }

uint64_t test(uint64_t x) {
	u128 big = (u128)x << 50 | x;
	u128 r = mixed(x, big, x + 1, big + 2, x + 3, big ^ 5, big >> 7);
	return (uint64_t)(r ^ r >> 64);
}
