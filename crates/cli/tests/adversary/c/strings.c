// String literals that the linker may or may not merge, and arrays initialised from them.
//@ expect: right
#include "collection.h"

static const char *const words[] = {"alpha", "beta", "gamma", "a", "alphabet", ""};

static NOINLINE uint64_t hash(const char *s) {
	uint64_t h = 5381;
	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

uint64_t test(uint64_t x) {
	char copy[] = "a string that is copied to the stack";
	copy[x % 30] = (char)('a' + x % 26);
	const char *tail = "bet" + x % 3;
	return hash(words[x % 6]) + hash(copy) * 3 + hash(tail) + (strcmp(words[1], tail) > 0) + strlen(words[x % 6]);
}
