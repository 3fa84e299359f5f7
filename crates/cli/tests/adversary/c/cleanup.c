// A function that runs when a variable goes out of scope, on every exit from the scope.
//@ expect: right
#include "collection.h"

static uint64_t closed;

static NOINLINE void close_it(uint64_t *p) { closed += *p * 3 + 1; }

uint64_t test(uint64_t x) {
	__attribute__((cleanup(close_it))) uint64_t outer = x;
	for (int i = 0; i < 5; i++) {
		__attribute__((cleanup(close_it))) uint64_t inner = x + i;
		if (inner % 7 == 6)
			return closed + inner;
		if (inner & 1)
			continue;
		outer += inner;
	}
	return closed ^ outer;
}
