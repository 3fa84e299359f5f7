// As in frame_pointer_meets, the address of a local (in rbp) and another pointer reach the same register, and code stores through it. Here the
// local holds a function pointer, and the first function does not return.
//@ expect: right
#include "collection.h"
typedef uint64_t (*fn)(uint64_t);
#define HID __attribute__((noipa, visibility("hidden")))
HID uint64_t small(uint64_t x) { return x * 3; }
HID void fill(volatile uint64_t *p, uint64_t n, uint64_t x) { for (uint64_t i = 0; i < n; i++) p[i] = x + i; }
HID uint64_t deep(uint64_t x) { return x * 5; }
static fn global = 0;
HID fn pick(uint64_t x) { return x & 1 ? deep : small; }
HID fn *where(uint64_t x) { return &global; }
extern void abort(void);
HID uint64_t die(uint64_t x) { abort(); }
HID uint64_t mix(uint64_t x) { return x * 77 + 1; }
uint64_t one(uint64_t x, uint64_t w, uint64_t v) {
	volatile fn local = die;
	volatile fn *p;
	if (x != 0x123456789) p = &local; else p = where(x);
	x = mix(x);
	x = mix(x) + x;
	x = mix(x) + x;
	x = mix(x) + x;
	*p = pick(x);
	return (x & 8 ? x : local(x)) + x;
}
uint64_t test(uint64_t x) { return one(x, 1, 2) ; }
