// The compiler's built-in setjmp, which replaces the stack pointer.
//@ expect: refused dynamic-stack or refused unsupported or refused indirect-call or refused instruction
//@ expect arm64 clang: not compiled
#include "collection.h"

static void *place[5];

static NOINLINE void leave(uint64_t x) {
	if (x & 1)
		__builtin_longjmp(place, 1);
}

uint64_t test(uint64_t x) {
	if (__builtin_setjmp(place))
		return 7;
	leave(x);
	return x;
}
