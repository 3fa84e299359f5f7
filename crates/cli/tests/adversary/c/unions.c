// Unions: the same memory is read as several types.
//@ expect: right
#include "collection.h"

union number { double d; float f[2]; uint64_t n; unsigned char c[8]; };

static NOINLINE union number flipped(union number u) {
	for (int i = 0; i < 4; i++) {
		unsigned char c = u.c[i];
		u.c[i] = u.c[7 - i];
		u.c[7 - i] = c;
	}
	return u;
}

uint64_t test(uint64_t x) {
	union number u = {.d = (double)(x & 0xffffff) * 1.5};
	u = flipped(u);
	uint64_t n = u.n;
	u.n = 0x3f8000003f000000 + (x & 0xff);
	return n + (uint64_t)(u.f[0] * 1024) + (uint64_t)(u.f[1] * 3);
}
