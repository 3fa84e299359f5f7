// Structs in registers, as arguments and as results.
//@ expect: right
#include "collection.h"

struct two { uint64_t a, b; };
struct bytes { unsigned char c[3]; };
struct halves { uint32_t lo, hi; };

static NOINLINE struct two swap(struct two t) { return (struct two){t.b + 1, t.a ^ 5}; }
static NOINLINE struct bytes rotate(struct bytes b) { return (struct bytes){{b.c[1], b.c[2], b.c[0]}}; }
static NOINLINE struct halves halve(uint64_t x) { return (struct halves){(uint32_t)x, (uint32_t)(x >> 32)}; }

uint64_t test(uint64_t x) {
	struct two t = swap(swap((struct two){x, x * 3}));
	struct bytes b = rotate((struct bytes){{(unsigned char)x, (unsigned char)(x >> 8), 7}});
	struct halves h = halve(t.a);
	return t.a + t.b * 7 + b.c[0] + b.c[1] * 3 + b.c[2] * 5 + h.lo * 9u + h.hi;
}
