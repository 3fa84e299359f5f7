// setjmp, which needs the C library. longjmp would return to a frame a second time.
//@ expect: refused undefined
#include "collection.h"
#include <setjmp.h>

static jmp_buf place;

static NOINLINE void leave(uint64_t x) {
	if (x & 1)
		longjmp(place, 1);
}

uint64_t test(uint64_t x) {
	if (setjmp(place))
		return x + 1;
	leave(x);
	return x;
}
