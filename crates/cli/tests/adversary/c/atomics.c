// Atomic operations of every width and memory order. On arm64 the compilers call functions of their library by default. These functions
// determine at start-up which instructions the machine supports.
//@ expect: right
//@ expect arm64 own: refused unsupported
#include "collection.h"

static uint64_t word;
static uint32_t half;
static unsigned char byte;
static void *pointer;

uint64_t test(uint64_t x) {
	uint64_t seen = __atomic_fetch_add(&word, x, __ATOMIC_SEQ_CST);
	seen ^= __atomic_exchange_n(&half, (uint32_t)x, __ATOMIC_ACQ_REL);
	seen += __atomic_or_fetch(&byte, (unsigned char)x, __ATOMIC_RELAXED);
	uint64_t expected = seen;
	if (!__atomic_compare_exchange_n(&word, &expected, x * 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
		seen += expected;
	__atomic_store_n(&pointer, x & 1 ? (void *)&word : (void *)&half, __ATOMIC_RELEASE);
	if (__atomic_load_n(&pointer, __ATOMIC_ACQUIRE) == &word)
		seen += __atomic_fetch_and(&word, 0xffffffff, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return seen + __atomic_fetch_xor(&half, 0x55, __ATOMIC_SEQ_CST) + __atomic_fetch_sub(&byte, 1, __ATOMIC_SEQ_CST);
}
