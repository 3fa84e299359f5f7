// 128-bit integers: carries, shifts, and divisions by the compiler's library.
//@ expect: right
#include "collection.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

static NOINLINE u128 shifted(u128 a, unsigned n) { return n & 1 ? a << (n & 127) : a >> (n & 127); }
static NOINLINE u128 divided(u128 a, u128 b) { return a / b + a % b; }
static NOINLINE i128 signed_divided(i128 a, i128 b) { return a / b - a % b; }

uint64_t test(uint64_t x) {
	u128 a = (u128)x * 0x9e3779b97f4a7c15 + x, b = ((u128)(x & 0xffff) << 40) + 3;
	u128 r = shifted(a, (unsigned)x) + divided(a, b) - (u128)signed_divided(-(i128)(a >> 1), (i128)b);
	r = r < a ? r - b : r + b;
	return (uint64_t)(r ^ r >> 64);
}
