// A state machine: a switch in a loop, whose jump is copied to the end of each case.
//@ expect: right
//@ expect arm64 own: right or refused unsupported
#include "collection.h"

uint64_t test(uint64_t x) {
	uint64_t stack[4] = {x, 1, 2, 3}, steps = 0;
	unsigned state = x & 7;
	while (steps++ < 60) {
		switch (state) {
		case 0: stack[0] += stack[1]; state = 3; break;
		case 1: stack[1] ^= stack[0] << 1; state = stack[1] & 1 ? 5 : 0; break;
		case 2: stack[2]--; state = 7; break;
		case 3: stack[3] += stack[2]; state = stack[3] % 3; break;
		case 4: return stack[0] ^ stack[3];
		case 5: stack[0] >>= 1; state = 2; break;
		case 6: stack[1] *= 5; state = 1; break;
		case 7: state = (stack[0] + stack[1]) & 7; break;
		}
	}
	return stack[0] + stack[1] * 3 + stack[2] * 5 + stack[3] * 7;
}
