// Every volatile access takes place, in order.
//@ expect: right
#include "collection.h"

static volatile uint32_t port, status;
static volatile struct { uint16_t lo, hi; } pair;

uint64_t test(uint64_t x) {
	port = (uint32_t)x;
	status |= 1;
	for (int i = 0; i < 5; i++)
		port += status;
	pair.lo = (uint16_t)port;
	pair.hi += pair.lo;
	status ^= pair.hi & 6;
	return port * 3ull + status + pair.hi;
}
