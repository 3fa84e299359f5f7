// Vector types of 16 bytes.
//@ expect: right
#include "collection.h"

typedef uint32_t v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));

static NOINLINE v4 mix(v4 a, v4 b) { return (a + b) * 3 ^ (a << 2) ^ (b >> 3); }
static NOINLINE f4 blend(f4 a, f4 b) { return a * b - a; }
static NOINLINE v16 bytes(v16 a) { return (v16)(a > 9) & a + 5; }

uint64_t test(uint64_t x) {
	uint32_t n = (uint32_t)x;
	v4 v = mix((v4){n, n + 1, n + 2, n + 3}, (v4){9, n, 7, 6});
	f4 f = blend((f4){n & 7, 2, 3, 4}, (f4){1, n & 15, 2, 5});
	v16 b = bytes((v16){n, n >> 1, n >> 2, 3, 4, 5, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150});
	return v[0] + v[1] * 3 + v[2] * 5ull + v[3] * 7ull + (uint64_t)(int64_t)(f[0] + f[1] + f[2] + f[3]) + b[0] + b[1] + b[15];
}
