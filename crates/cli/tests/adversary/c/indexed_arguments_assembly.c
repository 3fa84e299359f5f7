// A stack argument is accessed from an address in the frame. The address is kept in memory during a call, or grows in a loop. gcc may generate
// such code. LLVM starts at the argument's own address, and the tool relies on that.
//@ expect: right
#include "collection.h"

struct small { uint64_t a[2]; };

#if defined(__aarch64__) && !defined(__clang__)
uint64_t by_reload(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, struct small);
uint64_t by_steps(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, struct small);
__asm__(
	".section .text.by_reload,\"ax\",@progbits\n"
	".type by_reload,%function\n"
	"by_reload: stp x29, x30, [sp, #-48]!\n"
	"add x9, sp, #16\n"
	"stp x9, x7, [sp, #16]\n"
	"bl nothing\n"
	"ldp x9, x7, [sp, #16]\n"
	"ldr x0, [x9, x7, lsl #3]\n"
	"ldp x29, x30, [sp], #48\n"
	"ret\n"
	".section .text.nothing,\"ax\",@progbits\n"
	".type nothing,%function\n"
	"nothing: mov x9, xzr\n"
	"ret\n"
	".section .text.by_steps,\"ax\",@progbits\n"
	".type by_steps,%function\n"
	"by_steps: sub sp, sp, #32\n"
	"str x0, [sp]\n"
	"mov x9, sp\n"
	"1: add x9, x9, #8\n"
	"subs x7, x7, #1\n"
	"b.ne 1b\n"
	"ldr x0, [x9]\n"
	"add sp, sp, #32\n"
	"ret\n"
	".text\n");
#else
static NOINLINE uint64_t by_reload(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t i, struct small s) {
	return s.a[i - 4];
}
#define by_steps by_reload
#endif

uint64_t test(uint64_t x) {
	struct small s = {{x, ~x * 3}};
	return by_reload(x, 1, 2, 3, 4, 5, 6, 4 + (x & 1), s) + by_steps(x, 1, 2, 3, 4, 5, 6, 4 + (x >> 1 & 1), s) * 5;
}
