// gcc keeps a global variable in a scratch register during calls of functions whose stack check needs the same register. An instruction that
// writes the variable leaves the register unchanged for some inputs.
//@ expect: right or refused unsupported
//@ expect clang: not compiled
#include "collection.h"

#ifdef __x86_64__
register uint64_t state __asm__("r11");
#define LOWEST(of) __asm__("bsfq %1, %0" : "+r"(state) : "r"(of) : "cc")
#else
register uint64_t state __asm__("x17");
#define LOWEST(of) state = (of) ? (uint64_t)__builtin_ctzll(of) : state
#endif

static NOINLINE uint64_t deep(uint64_t x, unsigned depth) {
	LOWEST(x & 6);
	uint64_t sum = state;
	if (depth > 0) {
		sum += deep(x * 3 + 1, depth - 1);
		state = sum;
		sum ^= deep(x >> 1, depth - 1);
	}
	return sum;
}

uint64_t test(uint64_t x) {
	state = x;
	return deep(x, 3 + (x & 3));
}
