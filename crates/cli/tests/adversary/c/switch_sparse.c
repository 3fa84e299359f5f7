// A switch with large gaps, which becomes comparisons, and tables for the dense parts.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"

uint64_t test(uint64_t x) {
	uint64_t y = x * 0x41c64e6d % 1000;
	switch (y) {
	case 1: return x + 4;
	case 2: return x * 5;
	case 3: return x ^ 3;
	case 4: return x - 9;
	case 5: return x / 3;
	case 6: return x << 2;
	case 100: return 1;
	case 200: return x;
	case 300 ... 340: return y * 3;
	case 700: return x >> 1;
	case 701: return x >> 2;
	case 702: return x >> 9;
	case 703: return x * x;
	case 704: return ~x;
	case 705: return x + y;
	case 999: return 5;
	}
	return y;
}
