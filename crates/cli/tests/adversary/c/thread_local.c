// A variable of each thread: goroutines move between threads.
//@ expect: refused thread-local
//@ expect arm64 clang: refused thread-local or refused unsupported or refused undefined
#include "collection.h"

static __thread uint64_t kept;

uint64_t test(uint64_t x) { return kept += x; }
