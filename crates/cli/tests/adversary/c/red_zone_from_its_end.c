// An array in the red zone is accessed only from the address of its end, near code for which lowering needs a register.
//@ expect: right or refused unsupported
#include "collection.h"
static volatile uint64_t total;
NOINLINE uint64_t digits(uint64_t x, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e) {
	volatile uint64_t buf[15];
	volatile uint64_t *top = buf + 15;
	uint64_t f = a * b, g = b * c, h = c * d, i = d * e, j = e + a * 3, k = f ^ g * 5, l = h + i;
	long q = x & 1;
	top[~q] = x * 5;
	do {
		x >>= 5;
		total += x;
		a += b; b ^= c; c += d; d ^= e; e += f; f ^= g; g += h; h ^= i; i += j; j ^= k; k += l; l ^= a;
	} while (x);
	uint64_t sum = a + b * 3 + c * 5 + d * 7 + e * 9 + f * 11 + g * 13 + h * 15 + i * 17 + j * 19 + k * 21 + l * 23;
	return sum ^ top[~q];
}
uint64_t test(uint64_t x) { return digits(x, x + 1, x + 2, x + 3, x + 4, x + 5) + total; }
