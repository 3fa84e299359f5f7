// The address of a nested function is taken, so the compiler writes code to the stack.
//@ expect: refused unsupported
//@ expect clang: not compiled
#include "collection.h"

static NOINLINE uint64_t apply(uint64_t (*f)(uint64_t), uint64_t x) { return f(x) + f(x + 1); }

uint64_t test(uint64_t x) {
	uint64_t calls = 0;
	uint64_t inner(uint64_t n) { return n * ++calls; }
	return apply(inner, x) + calls;
}
