// gcc keeps a variable of the whole file in a scratch register, over calls of functions that check the stack and need it for that.
//@ expect: right or refused unsupported
//@ expect clang: not compiled
#include "collection.h"

#ifdef __x86_64__
register uint64_t state __asm__("r11");
#else
register uint64_t state __asm__("x17");
#endif

static NOINLINE uint64_t deep(uint64_t x, unsigned depth) {
	state = state * 31 + x;
	if (depth == 0)
		return state;
	return deep(x * 3 + 1, depth - 1) ^ deep(x >> 1, depth - 1);
}

uint64_t test(uint64_t x) {
	state = x;
	return deep(x, 3 + (x & 3)) + state;
}
