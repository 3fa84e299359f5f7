// Copies and fills of known length: moves, loops, string instructions, calls.
//@ expect: right
#include "collection.h"

struct block { unsigned char c[200]; };
static struct block kept;

static NOINLINE void move(unsigned char *p, unsigned n) { memmove(p + 3, p, n); }

uint64_t test(uint64_t x) {
	struct block one, two;
	memset(&one, (int)x, sizeof one);
	memcpy(one.c + 7, &x, 8);
	two = one;
	memset(two.c + 50, 0, 33);
	memcpy(two.c + 100, one.c, 24);
	move(two.c, (unsigned)(x % 150));
	kept = x & 1 ? two : kept;
	uint64_t sum = 0;
	for (int i = 0; i < 200; i += 9)
		sum = sum * 3 + one.c[i] + two.c[i] * 5 + kept.c[i];
	return sum + (memcmp(&one, &two, 60) > 0);
}
