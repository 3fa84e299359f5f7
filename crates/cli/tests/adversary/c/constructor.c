// A function that runs before main. clang evaluates it when it compiles.
//@ expect: refused unsupported
//@ expect clang: right or refused unsupported
#include "collection.h"

static uint64_t ready;
__attribute__((constructor)) static void prepare(void) { ready = 7; }

uint64_t test(uint64_t x) { return x + ready; }
