// Two functions written in assembly and declared in C. The first passes a value to the second in r11.
//@ expect: right or refused unsupported
//@ expect arm64: not compiled
#include "collection.h"

__attribute__((naked, noinline, used)) static uint64_t inner(void) {
	__asm__("cmp $1, %rdi\n\tjbe 1f\n\tdec %rdi\n\tpush %r11\n\tadd %rdi, %r11\n\tcall inner\n\tpop %r11\n\tadd %r11, %rax\n\tret\n"
	        "1:\tmov %r11, %rax\n\tret");
}

__attribute__((naked, noinline, used)) static uint64_t outer(uint64_t n, uint64_t v) {
	__asm__("mov %rsi, %r11\n\tjmp inner");
}

uint64_t test(uint64_t x) { return outer(x & 7, x); }
