// Complex numbers: the compiler's library computes products and quotients.
//@ expect: right
#include "collection.h"

static NOINLINE double _Complex product(double _Complex a, double _Complex b) { return a * b; }
static NOINLINE float _Complex quotient(float _Complex a, float _Complex b) { return a / b; }

uint64_t test(uint64_t x) {
	double _Complex p = product((double)(x & 0xff) + 2.0i, 3.0 + (double)(x >> 8 & 0xff) * 1.0i);
	float _Complex q = quotient((float)(x & 0xf) + 1.0if, 4.0f + 2.0if);
	return (uint64_t)(int64_t)(__real__ p + __imag__ p * 3) + (uint64_t)(int64_t)(__real__ q * 16 + __imag__ q * 256);
}
