//go:build cgo

// Package ccall has real C functions for tests.
package ccall

/*
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Every argument has a weight of its own, so that none can stand in for another.
static double mixed(int8_t a, double x, uint8_t b, float y, int16_t c, uint16_t d, double z, int32_t e, uint32_t f, float w,
		int64_t g, uint64_t h, double x2, void *i, bool j, float y2, size_t k, int l, double z2, float w2) {
	return 1*a + 2*b + 3*c + 4*d + 5.0*e + 6.0*f + 7.0*g + 8.0*h + 9.0*(uintptr_t)i + 10*j + 11.0*k + 12.0*l +
		0.5*x + 0.25*y + 0.125*z + 0.0625*w + 100.0*x2 + 200.0*y2 + 300.0*z2 + 400.0*w2;
}
static float halff(float x) { return x / 2; }
static bool both(bool a, bool b) { return a && b; }
static int8_t negate8(int8_t x) { return -x; }
static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

// Takes n bytes of stack and writes to all of them.
static uint64_t deep(size_t n) {
	volatile uint8_t room[n];
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) room[i] = (uint8_t)i;
	for (size_t i = 0; i < n; i += 64) sum += room[i];
	return sum;
}

static int fault(void) { return *(volatile int *)8; }

extern int calledFromC(int);
static int callback(int x) { return calledFromC(x); }

static void *p_mixed(void) { return (void *)mixed; }
static void *p_halff(void) { return (void *)halff; }
static void *p_both(void) { return (void *)both; }
static void *p_negate8(void) { return (void *)negate8; }
static void *p_rotate(void) { return (void *)rotate; }
static void *p_deep(void) { return (void *)deep; }
static void *p_fault(void) { return (void *)fault; }
static void *p_callback(void) { return (void *)callback; }
*/
import "C"

// The C functions, whose types the C code above says.
var (
	Mixed    = C.p_mixed()
	Half     = C.p_halff()
	Both     = C.p_both()
	Negate   = C.p_negate8()
	Rotate   = C.p_rotate()
	Deep     = C.p_deep()
	Fault    = C.p_fault()    // reads address 8
	Callback = C.p_callback() // calls Go
)

//export calledFromC
func calledFromC(x C.int) C.int { return x + 1 }
