// The result depends on the alignment of a local, whose address a conditional move takes from rbp.
//@ expect: right
#include "collection.h"
#define HID __attribute__((noipa, visibility("hidden")))
static _Alignas(16) volatile char global[16];
HID volatile char *where(uint64_t x) { return global; }
HID uint64_t mix(uint64_t x) { return x * 77 + 1; }
HID uint64_t low(volatile char *p) { return (uintptr_t)p & 15; }
HID uint64_t one(uint64_t x) {
	_Alignas(16) volatile char buf[16];
	volatile char *ww = where(x), *p = x != 0x123456789 ? buf : ww;
	x = mix(x); x += mix(x); x += mix(x);
	*p = x;
	x += mix(x);
	return x + low(p) + buf[0];
}
uint64_t test(uint64_t x) { return one(x); }
