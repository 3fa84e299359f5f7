// Calls through a constant and a variable table of functions.
//@ expect: right
#include "collection.h"

typedef uint64_t op(uint64_t, uint64_t);
static uint64_t add(uint64_t a, uint64_t b) { return a + b; }
static uint64_t sub(uint64_t a, uint64_t b) { return a - b; }
static uint64_t mul(uint64_t a, uint64_t b) { return a * b; }
static uint64_t div(uint64_t a, uint64_t b) { return b ? a / b : a; }

static op *const fixed[] = {add, sub, mul, div};
static op *changing[] = {div, mul, sub, add};
struct methods { const char *name; op *call; };
static const struct methods methods[] = {{"a", add}, {"m", mul}};

uint64_t test(uint64_t x) {
	uint64_t sum = fixed[x & 3](x, 7) + changing[x >> 2 & 3](x, 3);
	op *first = changing[0];
	changing[0] = changing[x % 4];
	changing[x % 4] = first;
	return sum + methods[x >> 4 & 1].call(x, 5) + methods[x & 1].name[0];
}
