// A stack argument is an array whose indexes begin at 1: the address one element below the array is passed on. (Undefined in C, but common.)
//@ expect: right
#include "collection.h"
struct many { int64_t a[10]; };
#define HID NOINLINE __attribute__((visibility("hidden")))
HID void fill(volatile uint64_t *p, uint64_t x) { for (int i = 0; i < 4; i++) p[i] = x * i; }
HID uint64_t aligned(uint64_t x) {
	_Alignas(64) uint64_t b[8];
	fill(b, x);
	return b[1] * 5 + b[3] + ((uintptr_t)b & 63);
}
// The indexes begin at 1, as in the book Numerical Recipes.
HID uint64_t sum(const int64_t *v, int n) { uint64_t r = 0; for (int i = 1; i <= n; i++) r = r * 31 + v[i]; return r; }
HID uint64_t recipe(struct many s, int64_t n) {
	return aligned(n) ^ sum(s.a - 1, 10);
}
#define W(N) HID uint64_t w##N(struct many *s, uint64_t x) { volatile uint64_t pad[N]; pad[0] = x; return recipe(*s, x) + pad[0]; }
W(2) W(4) W(6) W(8)
uint64_t test(uint64_t x) {
	struct many s;
	for (int i = 0; i < 10; i++) s.a[i] = x * (i + 1);
	return w2(&s, x) + 3 * w4(&s, x) + 5 * w6(&s, x) + 7 * w8(&s, x);
}
