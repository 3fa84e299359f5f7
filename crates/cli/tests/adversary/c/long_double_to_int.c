// A conversion from long double to an integer, for which x87 code changes the rounding mode for a moment.
//@ expect: refused instruction
//@ expect arm64: right or refused instruction
#include "collection.h"

static NOINLINE int64_t whole(long double a) { return (int64_t)a; }

uint64_t test(uint64_t x) { return (uint64_t)whole((long double)(int64_t)(x & 0xffffff) / 3) + 1; }
