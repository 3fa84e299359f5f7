// Functions that do not return, with no code after the calls.
//@ expect: right
#include "collection.h"

_Noreturn void abort(void);
static _Noreturn NOINLINE void fail(uint64_t x) {
	volatile uint64_t kept = x;
	(void)kept;
	abort();
}
static NOINLINE uint64_t checked(uint64_t a, uint64_t b) {
	if (b == 0)
		fail(a);
	if (a > b * 1000000 && b > 1000000)
		__builtin_trap();
	return a / b;
}

uint64_t test(uint64_t x) { return checked(x, (x & 7) + 1); }
