// Numbers of several words: carry and borrow chains.
//@ expect: right
#include "collection.h"

typedef unsigned __int128 u128;

static NOINLINE void add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
	uint64_t carry = 0;
	for (int i = 0; i < 4; i++) {
		u128 sum = (u128)a[i] + b[i] + carry;
		r[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
}
static NOINLINE uint64_t sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
	uint64_t borrow = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t d = a[i] - b[i], e = d - borrow;
		borrow = (a[i] < b[i]) | (d < borrow);
		r[i] = e;
	}
	return borrow;
}
static NOINLINE void mul(uint64_t r[8], const uint64_t a[4], const uint64_t b[4]) {
	memset(r, 0, 64);
	for (int i = 0; i < 4; i++) {
		uint64_t carry = 0;
		for (int j = 0; j < 4; j++) {
			u128 t = (u128)a[i] * b[j] + r[i + j] + carry;
			r[i + j] = (uint64_t)t;
			carry = (uint64_t)(t >> 64);
		}
		r[i + 4] = carry;
	}
}

uint64_t test(uint64_t x) {
	uint64_t a[4] = {x, ~x, x * 3, x >> 1}, b[4] = {~0ull, x, 5, x << 60}, c[4], d[8];
	add(c, a, b);
	uint64_t borrow = sub(c, c, a);
	mul(d, c, a);
	return borrow + d[0] + d[3] * 3 + d[4] * 5 + d[7] * 7 + c[3];
}
