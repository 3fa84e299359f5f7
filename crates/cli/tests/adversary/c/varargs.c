// Functions with a variable number of arguments: integers, floating-point numbers, pointers.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"
#include <stdarg.h>

static NOINLINE uint64_t sum(const char *kinds, ...) {
	va_list list, again;
	va_start(list, kinds);
	va_copy(again, list);
	uint64_t sum = 0;
	for (const char *kind = kinds; *kind; kind++) {
		switch (*kind) {
		case 'i': sum += va_arg(list, int); break;
		case 'l': sum ^= va_arg(list, uint64_t); break;
		case 'd': sum += (uint64_t)va_arg(list, double); break;
		case 's': sum += va_arg(list, const char *)[1]; break;
		}
	}
	va_end(list);
	if (*kinds == 'i')
		sum += va_arg(again, int) * 5;
	va_end(again);
	return sum;
}

uint64_t test(uint64_t x) {
	int small = (int)(x & 0xfff);
	return sum("") + sum("i", small) + sum("ld", x, (double)small) * 3 + sum("ilsd", small, x >> 2, "abc", 4.5);
}
