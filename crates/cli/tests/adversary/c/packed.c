// Packed structs: fields at odd addresses, arrays of such structs, bit fields.
//@ expect: right
#include "collection.h"

struct __attribute__((packed)) record {
	unsigned char kind;
	uint64_t value;
	uint16_t half;
	uint32_t bits : 21;
	double d;
};
static struct record table[5];

uint64_t test(uint64_t x) {
	struct record *r = &table[x % 5];
	r->kind++;
	r->value += x * r->kind;
	r->half ^= (uint16_t)(r->value >> 3);
	r->bits = r->bits * 3 + (uint32_t)x;
	r->d += (double)(r->half & 0xff);
	struct record copy = table[(x + 1) % 5];
	return copy.value + r->value + r->half + r->bits + (uint64_t)r->d + copy.kind;
}
