// More variable arguments than registers: the rest, structs among them, are on the stack.
//@ expect: right
#include "collection.h"
#include <stdarg.h>

struct pair { uint64_t a, b; };
struct large { uint64_t words[5]; };
struct mixed { double d; uint64_t n; };

static NOINLINE uint64_t gather(int n, ...) {
	va_list list;
	va_start(list, n);
	uint64_t sum = 0;
	for (int i = 0; i < n; i++) {
		struct pair pair = va_arg(list, struct pair);
		double d = va_arg(list, double);
		struct large large = va_arg(list, struct large);
		struct mixed mixed = va_arg(list, struct mixed);
		sum = sum * 3 + pair.a + pair.b * 5 + (uint64_t)d + large.words[0] + large.words[4] * 7 + (uint64_t)mixed.d + mixed.n;
	}
	va_end(list);
	return sum;
}

uint64_t test(uint64_t x) {
	struct pair pair = {x, x >> 5};
	struct large large = {{x + 1, x + 2, x + 3, x + 4, x + 5}};
	struct mixed mixed = {(double)(x & 0xff), x ^ 9};
	double d = (double)(x & 0xffff);
	return gather(1, pair, d, large, mixed) ^ gather(4, pair, d, large, mixed, pair, d + 1, large, mixed, pair, d, large, mixed, pair, d, large, mixed);
}
