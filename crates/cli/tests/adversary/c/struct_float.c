// Structs of floating-point numbers. On arm64, structs of one type are passed in vector registers; on amd64, structs of mixed types in
// registers of two kinds.
//@ expect: right
#include "collection.h"

struct four { float a, b, c, d; };
struct three { double x, y, z; };
struct mixed { double d; uint64_t n; };
struct pair { float f; int n; };

static NOINLINE struct four scale(struct four f, float by) { return (struct four){f.a * by, f.b + by, f.c - by, f.d * 2}; }
static NOINLINE struct three cross(struct three a, struct three b) {
	return (struct three){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static NOINLINE struct mixed mix(struct mixed m, struct pair p) { return (struct mixed){m.d + p.f, m.n * 3 + p.n}; }

uint64_t test(uint64_t x) {
	float f = (float)(x & 0xff);
	struct four four = scale((struct four){f, f + 1, f + 2, f + 3}, 0.5f);
	struct three three = cross((struct three){f, 2, 3}, (struct three){4, f + 5, 6});
	struct mixed mixed = mix((struct mixed){three.z, x}, (struct pair){four.a, (int)(x & 7)});
	return (uint64_t)(int64_t)(four.a + four.b + four.c + four.d) + (uint64_t)(int64_t)(three.x + three.y * 3) + mixed.n + (uint64_t)(int64_t)mixed.d;
}
