// Static and initialised thread-local variables. A goroutine's next call may run on another thread, so each call sets the variables first.
//@ expect: right
//@ expect arm64 gcc: refused thread-local
//@ expect arm64 clang own: refused thread-local
#include "collection.h"

static __thread uint64_t kept;
static __thread uint32_t counts[3] = {1, 2, 3};
static _Thread_local const char *name = "thread";

NOINLINE static void add(uint64_t x) {
    kept += x;
    counts[x % 3] ^= (uint32_t)x;
}

uint64_t test(uint64_t x) {
    kept = x >> 3;
    counts[0] = counts[1] + counts[2];
    counts[1] = 5;
    counts[2] = 7;
    for (uint64_t i = 0; i < x % 9; i++)
        add(x ^ i);
    return kept + counts[0] * 3 + counts[1] * 5 + counts[2] + (uint64_t)name[x % 6];
}
