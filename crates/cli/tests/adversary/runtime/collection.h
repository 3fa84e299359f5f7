// Every file of the collection includes this header and defines the function `test`. main calls `test` with many inputs, and returns a
// hash of the results.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

NOINLINE uint64_t test(uint64_t x);

int main(void) {
	uint64_t random = 0x9e3779b97f4a7c15, sum = 0xcbf29ce484222325;
	for (int i = 0; i < 400; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		// Half of the inputs are small, the others have up to 64 bits.
		uint64_t result = test(i < 200 ? (uint64_t)i : random >> (random & 63));
		sum = (sum ^ result) * 0x100000001b3;
		sum ^= sum >> 29;
	}
	return (int)(sum ^ sum >> 32);
}
