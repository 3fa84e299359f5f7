// The native program for arm64. It is in C, because Rust's standard library may not be installed for arm64. It prints the
// result of every function for every input, and the most stack that each function used. The inputs and the form of the output
// are the same as in the Rust program for amd64 (run.rs).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void rustgo_panic(const void *info) { abort(); }

typedef void Shim(const uint64_t *x, uint64_t *result);

static uint64_t call(Shim *shim, uint64_t x) {
	uint64_t result = 0;
	shim(&x, &result);
	return result;
}

// Returns the number of bytes of stack that a call writes to. The stack below SP is filled with a pattern before the call, and
// then searched for the lowest changed word.
static uint64_t depth(Shim *shim, uint64_t x) {
	uint64_t result = 0, untouched = 0;
	__asm__ volatile(
		"sub x9, sp, #32, lsl #12\n"
		"1: str %[paint], [x9], #8\n"
		"mov x10, sp\n"
		"cmp x9, x10\n"
		"b.lo 1b\n"
		"mov x0, %[x]\n"
		"mov x1, %[result]\n"
		"blr %[shim]\n"
		"sub x9, sp, #32, lsl #12\n"
		"2: ldr x10, [x9], #8\n"
		"cmp x10, %[paint]\n"
		"b.eq 2b\n"
		"sub x9, x9, #8\n"
		"mov x10, sp\n"
		"sub %[untouched], x10, x9\n"
		: [untouched] "=r"(untouched)
		: [shim] "r"(shim), [x] "r"(&x), [result] "r"(&result), [paint] "r"(0x5a5a5a5a5a5a5a5a)
		: "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
		  "x18", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
		  "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");
	return untouched;
}

#define INPUTS 600
static uint64_t inputs[INPUTS];

static void make_inputs(void) {
	uint64_t random = 0x9e3779b97f4a7c15;
	for (uint64_t i = 0; i < 300; i++)
		inputs[i] = i;
	for (int i = 300; i < INPUTS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		// Avoid -1 and -2, for which a case may panic (functions `…_panics` must panic for -1).
		inputs[i] = random >> (random & 31) & ~(UINT64_C(1) << 63);
	}
}

static void show(const char *name, Shim *shim, int measured) {
	for (int i = 0; i < INPUTS; i++)
		printf("%s %llu %llu\n", name, (unsigned long long)inputs[i], (unsigned long long)call(shim, inputs[i]));
	if (!measured)
		return;
	uint64_t deepest = 0;
	for (int i = 0; i < INPUTS; i++) {
		uint64_t found = depth(shim, inputs[i]);
		deepest = found > deepest ? found : deepest;
	}
	fprintf(stderr, "%s %llu\n", name, (unsigned long long)deepest);
}
