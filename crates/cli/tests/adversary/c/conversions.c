// Conversions between integers and floating-point numbers, of every width and sign.
//@ expect: right
#include "collection.h"

static NOINLINE double from_unsigned(uint64_t n) { return (double)n; }
static NOINLINE float narrow(uint64_t n) { return (float)n; }
static NOINLINE uint64_t to_unsigned(double d) { return (uint64_t)d; }
static NOINLINE int64_t to_signed(double d) { return (int64_t)d; }
static NOINLINE uint32_t bits(float f) {
	uint32_t n;
	memcpy(&n, &f, 4);
	return n;
}

uint64_t test(uint64_t x) {
	double d = from_unsigned(x);
	uint64_t back = d < 0x1p63 ? to_unsigned(d) : to_unsigned(d / 4);
	return back + bits(narrow(x)) * 3 + (uint64_t)to_signed(-d / 8) + (uint64_t)(unsigned char)(int)(d / 0x1p56) + bits((float)(d * 1.1)) + (short)(d / 0x1p50);
}
