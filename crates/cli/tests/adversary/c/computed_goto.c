// A table of label addresses, and jumps to the labels.
//@ expect: right or refused unsupported
#include "collection.h"

uint64_t test(uint64_t x) {
	static const void *const labels[] = {&&add, &&shift, &&flip, &&end};
	uint64_t y = x, steps = 0;
	goto *labels[y & 3];
add:
	y += 7;
	if (++steps > 9)
		return y;
	goto *labels[y >> 1 & 3];
shift:
	y = y >> 1 ^ y << 3;
	if (++steps > 9)
		return y;
	goto *labels[y & 3];
flip:
	y = ~y;
	if (++steps > 9)
		return y;
	goto *labels[y >> 2 & 3];
end:
	return y * 3;
}
