// Functions that compute their own address from a distance, without a relocation.
//@ expect: right
#include "collection.h"

typedef struct state state;
struct state { state (*next)(uint64_t *); };
typedef uintptr_t address(void);

static NOINLINE state count(uint64_t *x);
static NOINLINE state halve(uint64_t *x) {
	*x >>= 1;
	return (state){*x & 1 ? halve : count};
}
static NOINLINE state count(uint64_t *x) {
	*x += 3;
	return (state){*x & 4 ? count : halve};
}
static NOINLINE uintptr_t own(void) { return (uintptr_t)&own; }

uint64_t test(uint64_t x) {
	uint64_t y = x, same = own() == (uintptr_t)(address *)own;
	state s = {count};
	for (int i = 0; i < 20; i++)
		s = s.next(&y);
	return y * 2 + same;
}
