// gcc sets a register to -1 by `or`, which names the register as an operand but does not depend on its old value. The function is recursive,
// and its stack check needs the same register.
//@ expect: right
//@ expect arm64: right
#include "collection.h"

#ifdef __x86_64__
#define ONES(to) __asm__("orq $-1, %0" : "=r"(to) : : "cc")
#define NONE(to) __asm__("andl $0, %k0" : "=r"(to) : : "cc")
#define SCRATCH __asm__("r11")
#else
#define ONES(to) __asm__("mov %0, -1" : "=r"(to))
#define NONE(to) __asm__("mov %0, 0" : "=r"(to))
#define SCRATCH __asm__("x17")
#endif

static NOINLINE uint64_t deep(uint64_t x, unsigned depth) {
	register uint64_t all SCRATCH;
	if (x & 1)
		ONES(all);
	else
		NONE(all);
	uint64_t found = all ^ x;
	if (depth == 0)
		return found;
	return found * 3 + deep(x * 0x9e3779b97f4a7c15u + found, depth - 1) + deep(x >> 1, depth - 1);
}

uint64_t test(uint64_t x) {
	return deep(x, 3 + (x & 3));
}
