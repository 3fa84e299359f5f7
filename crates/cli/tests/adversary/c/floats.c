// Floating-point arithmetic with exact results: roots, signs, rounding, comparisons with NaN.
//@ expect: right
#include "collection.h"

static NOINLINE double root(double d) { return d >= 0 ? __builtin_sqrt(d) : 0; }
static NOINLINE uint64_t compare(double a, double b) {
	return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (unsigned)__builtin_isunordered(a, b) << 4 | (a > b ? 32 : 0);
}
static NOINLINE uint64_t bits(double d) {
	uint64_t n;
	memcpy(&n, &d, 8);
	return n;
}

uint64_t test(uint64_t x) {
	double a = (double)(int64_t)(x - 50) * 0.5, nan = x % 9 ? 1 : __builtin_nan("");
	return bits(root(a)) + compare(a, nan) * 3 + bits(__builtin_fabs(a)) + bits(__builtin_copysign(3.0, a)) + bits(-a * 0.1) + (a < 0 ? 5 : bits(a / 3));
}
