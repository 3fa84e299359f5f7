// As in frame_pointer_meets, the address of a local (in rbp) and another pointer reach the same register, and code stores through it. Here the
// local holds a function pointer, and the stored function needs much more stack than the first.
//@ expect: right
#include "collection.h"
typedef uint64_t (*fn)(uint64_t);
#define HID __attribute__((noipa, visibility("hidden")))
HID uint64_t small(uint64_t x) { return x * 3; }
HID void fill(volatile uint64_t *p, uint64_t n, uint64_t x) { for (uint64_t i = 0; i < n; i++) p[i] = x + i; }
HID uint64_t deep(uint64_t x) { uint64_t a[62000]; fill(a, 62000, x); return a[x % 62000] + a[7]; }
static fn global = small;
HID fn pick(uint64_t x) { return x & 1 ? deep : small; }
HID fn *where(uint64_t x) { return &global; }
HID uint64_t mix(uint64_t x) { return x * 77 + 1; }
uint64_t one(uint64_t x, uint64_t w, uint64_t v) {
	volatile fn local = small;
	volatile fn *p;
	if (x & 1) p = &local; else p = where(x);
	x = mix(x);
	x = mix(x) + x;
	x = mix(x) + x;
	x = mix(x) + x;
	*p = pick(x);
	return local(x) + x;
}
HID uint64_t big(uint64_t x) { uint64_t a[62000]; fill(a, 62000, x); return one(x, 1, 2) + a[x % 62000]; }
uint64_t test(uint64_t x) { return big(x) + pick(x)(x); }
