// Symbols of several kinds: a weak function, an undefined weak function, an alias, and a hidden function.
//@ expect: right or refused undefined
#include "collection.h"

extern uint64_t absent(uint64_t) __attribute__((weak));
__attribute__((weak)) NOINLINE uint64_t replaceable(uint64_t x) { return x * 3; }
NOINLINE uint64_t original(uint64_t x) { return x + 11; }
extern uint64_t other_name(uint64_t) __attribute__((alias("original")));
__attribute__((visibility("hidden"))) NOINLINE uint64_t hidden(uint64_t x) { return x ^ 0x77; }
uint64_t (*const table[])(uint64_t) = {replaceable, other_name, hidden};

uint64_t test(uint64_t x) {
	uint64_t sum = replaceable(x) + other_name(x) * 3 + hidden(x) + table[x % 3](x);
	return absent ? absent(sum) : sum;
}
