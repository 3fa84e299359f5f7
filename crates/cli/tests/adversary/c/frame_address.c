// A function reads the address of its frame. On arm64 it also removes the signature from its return address.
//@ expect: right
//@ expect arm64: refused instruction
#include "collection.h"

static NOINLINE uintptr_t distance(uintptr_t from) { return from - (uintptr_t)__builtin_frame_address(0); }

uint64_t test(uint64_t x) {
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	return (distance(here) < 4096) + (__builtin_return_address(0) != 0) * 2 + x;
}
