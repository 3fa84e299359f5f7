// Arithmetic of long double: by x87 instructions on amd64, by functions of the compiler's library on arm64 (which use x18 on Debian).
//@ expect: right
//@ expect arm64: right or refused instruction
#include "collection.h"

static NOINLINE long double mix(long double a, long double b) { return a * b - a / (b + 1) + 0.5L; }
static NOINLINE int compare(long double a, long double b) { return (a < b) * 4 + (a == b) * 2 + (a > b); }
static long double kept = 1.25L;

uint64_t test(uint64_t x) {
	long double a = (long double)(int64_t)(x & 0xfffff), b = 3.5L + kept;
	long double r = mix(a, b) + mix(b, a);
	kept = r * 0x1p-20L;
	double d = (double)r;
	uint64_t bits;
	memcpy(&bits, &d, 8);
	return bits + compare(a, r) * 3;
}
