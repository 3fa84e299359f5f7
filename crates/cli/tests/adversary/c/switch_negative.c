// A switch whose first case is negative, so the jump table is indexed from an address before it.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"

static NOINLINE int choose(int v, int w) {
	switch (v) {
	case -5: return w + 1;
	case -4: return w * 2;
	case -3: return w ^ 3;
	case -2: return w - 4;
	case -1: return w << 1;
	case 0: return w / 3;
	case 1: return w % 5;
	case 2: return -w;
	case 3: return ~w;
	}
	return w;
}

uint64_t test(uint64_t x) { return (uint64_t)choose((int)(x % 11) - 6, (int)(x & 0xffff)) + choose((int)x, 7); }
