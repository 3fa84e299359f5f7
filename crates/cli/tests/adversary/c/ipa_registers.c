// gcc keeps values in scratch registers during calls of static functions that do not change these registers (-fipa-ra).
//@ expect: right
#include "collection.h"

static uint64_t counter, other[3];

static NOINLINE void bump(void) { counter++; }
static NOINLINE void spread(unsigned at) { other[at % 3] += counter; }
static NOINLINE uint64_t look(void) { return counter ^ other[1]; }

static NOINLINE uint64_t first(uint64_t a, uint64_t b) {
	bump();
	return a * 3 + b;
}

static NOINLINE uint64_t second(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
	bump();
	spread(1);
	bump();
	return look() + a * b + c * d;
}

static NOINLINE double third(double a, double b, uint64_t c) {
	bump();
	spread(c & 1);
	return a * 2 + b + (double)(c & 0xff);
}

uint64_t test(uint64_t x) {
	return first(x, x >> 3) + second(x, 3, x >> 1, 5) * 7 + (uint64_t)third((double)(x & 0xffff), 3.0, x) + other[0] + other[2];
}
