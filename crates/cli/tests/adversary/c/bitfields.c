// Bit fields: read, written, signed, across words.
//@ expect: right
#include "collection.h"

struct fields {
	unsigned a : 3;
	signed b : 5;
	unsigned c : 13;
	uint64_t d : 40;
	unsigned : 0;
	signed e : 1;
	unsigned f : 31;
};
static struct fields kept;

static NOINLINE void fill(struct fields *f, uint64_t x) {
	f->a = x;
	f->b = x >> 3;
	f->c += x;
	f->d = x * 77;
	f->e ^= x & 1;
	f->f = f->c + f->a;
}

uint64_t test(uint64_t x) {
	struct fields own = kept;
	fill(&own, x);
	fill(&kept, own.d);
	return own.a + (uint64_t)own.b * 3 + own.c * 5 + own.d * 7 + (uint64_t)own.e * 11 + own.f + kept.d;
}
