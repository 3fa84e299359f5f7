// A switch without gaps, which becomes a jump table.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"

static uint64_t counter;

uint64_t test(uint64_t x) {
	switch (x % 12) {
	case 0: return x + 1;
	case 1: return x * 3;
	case 2: counter += x; return counter;
	case 3: return x ^ 0x55;
	case 4: return x >> 3;
	case 5: return ~x;
	case 6: return x * x;
	case 7: counter ^= 9; return counter + x;
	case 8: return x / 7;
	case 9: return x % 7;
	case 10: return x << 5;
	}
	return 77;
}
