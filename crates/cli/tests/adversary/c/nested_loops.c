// Nested loops over two-dimensional arrays: vectorised and unrolled at the higher levels.
//@ expect: right
#include "collection.h"

static uint32_t a[16][16], b[16][16], c[16][16];

uint64_t test(uint64_t x) {
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			a[i][j] = (uint32_t)(x + i * j);
			b[i][j] = (uint32_t)(x >> 1 ^ (i - j));
		}
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			uint32_t sum = 0;
			for (int k = 0; k < 16; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
	uint64_t all = 0;
	for (int i = 0; i < 16; i++)
		for (int j = i; j < 16; j += 3)
			all = all * 7 + c[i][j];
	return all;
}
