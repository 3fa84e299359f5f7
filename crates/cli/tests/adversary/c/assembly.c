// Inline assembly that changes only what it declares.
//@ expect: right
#include "collection.h"

static NOINLINE uint64_t doubled(uint64_t x) {
	uint64_t r;
#ifdef __x86_64__
	__asm__("leaq 1(%1,%1), %0" : "=r"(r) : "r"(x));
#else
	__asm__("add %0, %1, %1, lsl #1" : "=r"(r) : "r"(x));
#endif
	return r;
}
static NOINLINE uint64_t hidden(uint64_t x) {
	__asm__ volatile("" : "+r"(x) : : "memory", "cc");
	return x;
}

uint64_t test(uint64_t x) { return doubled(x) + hidden(x) * 3; }
