// Locals that are aligned to 16, as the calling convention guarantees. The code stores a tag in the low bits of an address.
//@ expect: right
#include "collection.h"

struct __attribute__((aligned(16))) buffer { uint64_t a, b; };

static NOINLINE uintptr_t tagged(struct buffer *b, uintptr_t tag) { return (uintptr_t)b | tag; }
static NOINLINE uint64_t untagged(uintptr_t p) {
	struct buffer *b = (struct buffer *)(p & ~(uintptr_t)15);
	return b->a * 3 + b->b + (p & 15);
}

uint64_t test(uint64_t x) {
	struct buffer one = {x, x + 1}, two = {x * 5, 9};
	uintptr_t p = tagged(x & 1 ? &one : &two, x & 15);
	return untagged(p) + (((uintptr_t)&one | (uintptr_t)&two) & 15);
}
