// A loop with two entries, made with goto, and Duff's device.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"

static NOINLINE uint64_t tangled(uint64_t x) {
	uint64_t n = 0;
	if (x & 1)
		goto middle;
top:
	n += x & 7;
	x >>= 1;
middle:
	n = n * 3 + 1;
	if (x > 3)
		goto top;
	return n;
}
static NOINLINE uint64_t duff(const unsigned char *p, unsigned count) {
	uint64_t sum = 0;
	unsigned n = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { sum = sum * 3 + *p++;
	case 3: sum = sum * 5 + *p++;
	case 2: sum = sum * 7 + *p++;
	case 1: sum = sum * 11 + *p++;
		} while (--n > 0);
	}
	return sum;
}

uint64_t test(uint64_t x) {
	unsigned char room[64];
	for (unsigned i = 0; i < 64; i++)
		room[i] = (unsigned char)(x + i * 3);
	return tangled(x) + duff(room, (unsigned)(x % 60) + 1);
}
