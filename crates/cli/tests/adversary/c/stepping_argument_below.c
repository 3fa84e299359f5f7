// A pointer starts below a stack argument and moves up through it.
//@ expect: right
// Legal C: because of the guarded access at k - 5, gcc and clang step a pointer that starts below the argument.
#include "collection.h"
struct e { int64_t x, y, z; };
struct many { struct e a[10]; };
#define HID NOINLINE __attribute__((visibility("hidden")))
HID void fill(volatile uint64_t *p, uint64_t x) { for (int i = 0; i < 4; i++) p[i] = x * i; }
HID uint64_t aligned(uint64_t x) {
	_Alignas(64) uint64_t b[8];
	fill(b, x);
	return b[1] * 5 + b[3] + ((uintptr_t)b & 63);
}
HID uint64_t guarded(struct many s, int64_t n, uint64_t m) {
	uint64_t r = aligned(n);
	int64_t k = 0;
	do {
		r = r * 31 + 5;
		if (m >> k & 1) r ^= s.a[k - 5].y;
		k++;
	} while (k < n);
	return r;
}
#define W(N) HID uint64_t w##N(struct many *s, uint64_t x) { volatile uint64_t pad[N]; pad[0] = x; return guarded(*s, 5 + x % 10, (x & 1023) << 5) + pad[0]; }
W(2) W(4) W(6) W(8)
uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i].x = x * (i + 1), s.a[i].y = x * (i + 3), s.a[i].z = x + i;
	return w2(&s, x) + 3 * w4(&s, x) + 5 * w6(&s, x) + 7 * w8(&s, x);
}
