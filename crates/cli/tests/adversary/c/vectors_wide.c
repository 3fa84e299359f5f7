// Vector types wider than the machine's registers, passed in memory.
//@ expect: right
#include "collection.h"

typedef uint64_t v8 __attribute__((vector_size(64)));
typedef uint32_t v8i __attribute__((vector_size(32)));

static NOINLINE void mix(v8 *to, const v8 *a, uint64_t by) { *to = (*a + by) * 3 ^ *a >> 2; }
static NOINLINE void narrow(v8i *to, const v8i *a) { *to = *a * *a - 5; }

uint64_t test(uint64_t x) {
	v8 a = {x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7}, b;
	v8i c = {(uint32_t)x, 2, 3, 4, 5, 6, 7, 8};
	mix(&b, &a, x >> 3);
	narrow(&c, &c);
	return b[0] + b[3] * 3 + b[7] * 5 + c[0] + c[7];
}
