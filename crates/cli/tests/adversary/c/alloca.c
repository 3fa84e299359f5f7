// Stack memory allocated at run time (alloca).
//@ expect: refused dynamic-stack
#include "collection.h"

static NOINLINE void fill(volatile char *room, unsigned n) {
	for (unsigned i = 0; i < n; i++)
		room[i] = (char)i;
}

uint64_t test(uint64_t x) {
	unsigned n = (unsigned)(x & 63) + 1;
	char *room = __builtin_alloca(n);
	fill(room, n);
	return (unsigned char)room[n - 1];
}
