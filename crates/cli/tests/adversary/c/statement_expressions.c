// Statement expressions and typeof.
//@ expect: right
#include "collection.h"

#define LARGEST(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SUM(n, x) ({ uint64_t sum_ = 0; for (unsigned i_ = 0; i_ < (n); i_++) sum_ = sum_ * 3 + (x) + i_; sum_; })

uint64_t test(uint64_t x) {
	uint64_t a = LARGEST(x, SUM(x & 7, x >> 3)), b = x & 1 ?: 5;
	return LARGEST(a, b) + ({ if (x > 100) a++; a; }) + SUM(b, a);
}
