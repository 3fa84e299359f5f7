// Recursive functions whose stack checks need r11 (x17). Their code reads this register before writing it: gcc uses it for an instruction
// that leaves its destination unchanged for some inputs (bsr). The program never uses the undefined value.
//@ expect: right
//@ expect clang: right or refused unsupported
//@ expect amd64 gcc own: refused unsupported
#include "collection.h"

#ifdef __x86_64__
#define HIGHEST(to, of) __asm__("bsrq %1, %0" : "=&r"(to) : "c"(of))
#define SCRATCH __asm__("r11")
#else
#define HIGHEST(to, of) __asm__("clz %0, %1" : "=&r"(to) : "r"(of))
#define SCRATCH __asm__("x17")
#endif

static NOINLINE uint64_t deep(uint64_t x, unsigned depth) {
	register uint64_t highest SCRATCH;
	HIGHEST(highest, x | 1);
	uint64_t found = highest;
	if (depth == 0)
		return found;
	return found * 3 + deep(x * 0x9e3779b97f4a7c15u + found, depth - 1) + deep(x >> 1, depth - 1);
}

uint64_t test(uint64_t x) {
	return deep(x, 3 + (x & 3));
}
