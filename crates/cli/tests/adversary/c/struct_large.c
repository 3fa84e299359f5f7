// Structs in memory, as arguments and as results.
//@ expect: right
//@ expect arm64: right or refused unsupported
#include "collection.h"

struct large { uint64_t w[9]; };
struct odd { unsigned char c[21]; };

static NOINLINE struct large turn(struct large l, uint64_t by) {
	struct large r;
	for (unsigned i = 0; i < 9; i++)
		r.w[i] = l.w[(i + by) % 9] + i;
	return r;
}
static NOINLINE uint64_t sum(struct odd o, struct large l, int a, struct odd p) { return o.c[20] + l.w[8] * 3 + a + p.c[1] * 5; }

uint64_t test(uint64_t x) {
	struct large l;
	struct odd o;
	for (int i = 0; i < 9; i++)
		l.w[i] = x * i;
	for (int i = 0; i < 21; i++)
		o.c[i] = (unsigned char)(x + i);
	l = turn(turn(l, x & 15), 4);
	return sum(o, l, (int)(x & 63), o) + l.w[0] * 11;
}
