// Frames that span many pages.
//@ expect: right
#include "collection.h"

static NOINLINE uint64_t inner(uint64_t *room, uint64_t x) {
	volatile uint64_t own[1200];
	for (int i = 0; i < 1200; i += 7)
		own[i] = x + i;
	room[x % 2400] += own[x % 171 * 7];
	return own[1197];
}

uint64_t test(uint64_t x) {
	uint64_t room[2400];
	for (int i = 0; i < 2400; i++)
		room[i] = x ^ i;
	uint64_t sum = inner(room, x);
	for (int i = 0; i < 2400; i += 100)
		sum = sum * 5 + room[i];
	return sum + room[x % 2400];
}
