//go:build cgo

// Package ccall has compiled C functions for tests.
package ccall

/*
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// mixed gives every argument its own weight, so that swapped arguments change the result.
static double mixed(int8_t a, double x, uint8_t b, float y, int16_t c, uint16_t d, double z, int32_t e, uint32_t f, float w,
		int64_t g, uint64_t h, double x2, void *i, bool j, float y2, size_t k, int l, double z2, float w2) {
	return 1*a + 2*b + 3*c + 4*d + 5.0*e + 6.0*f + 7.0*g + 8.0*h + 9.0*(uintptr_t)i + 10*j + 11.0*k + 12.0*l +
		0.5*x + 0.25*y + 0.125*z + 0.0625*w + 100.0*x2 + 200.0*y2 + 300.0*z2 + 400.0*w2;
}
static float halff(float x) { return x / 2; }
static bool both(bool a, bool b) { return a && b; }
static int8_t negate8(int8_t x) { return -x; }
static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

// join writes its arguments to a static buffer. It returns the buffer, or NULL if a is empty.
static const char *join(const char *a, int8_t b, const char *c, double d, const char *e, const char *f, const char *g, const char *h,
		uint16_t i, const char *j, const char *k, const char *l, float m) {
	static char text[200];
	snprintf(text, sizeof text, "%s %d %s %g %s %s %s %s %d %s %s %s %g", a, b, c, d, e, f, g, h, i, j, k, l, m);
	return *a == 0 ? 0 : text;
}
// fail sets errno to n after some work, and returns the errno at its start.
static int fail(int n) {
	int before = errno;
	for (volatile int i = 0; i < 100; i++) { }
	errno = n;
	return before;
}
static double fail_double(double n) { errno = (int)n; return -n; }
static const char *fail_text(const char *s, int n) { errno = n; return s; }
static size_t length(const char *s) { return strlen(s); }

static uintptr_t weigh(uintptr_t *a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) {
	return *a + 2*b + 3*c + 4*d + 5*e + 6*f;
}

// deep uses n bytes of stack and writes to all of them.
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

// thread is the start function of a thread made by C. It calls Go.
static void *thread(void *x) { *(int *)x = calledFromC(*(int *)x); return 0; }
static int on_thread(int x) {
	pthread_t t;
	if (pthread_create(&t, 0, thread, &x) != 0) return -1;
	return pthread_join(t, 0) == 0 ? x : -2;
}

// run calls the Go function runFromC, on this thread or on a new thread.
extern void runFromC(void);
static void *run_thread(void *x) { runFromC(); return x; }
static int run(bool elsewhere) {
	if (!elsewhere) { runFromC(); return 0; }
	pthread_t t;
	return pthread_create(&t, 0, run_thread, 0) != 0 || pthread_join(t, 0) != 0;
}

static void *p_mixed(void) { return (void *)mixed; }
static void *p_halff(void) { return (void *)halff; }
static void *p_both(void) { return (void *)both; }
static void *p_negate8(void) { return (void *)negate8; }
static void *p_rotate(void) { return (void *)rotate; }
static void *p_join(void) { return (void *)join; }
static void *p_length(void) { return (void *)length; }
static void *p_fail(void) { return (void *)fail; }
static void *p_fail_double(void) { return (void *)fail_double; }
static void *p_fail_text(void) { return (void *)fail_text; }
static void *p_weigh(void) { return (void *)weigh; }
static void *p_deep(void) { return (void *)deep; }
static void *p_fault(void) { return (void *)fault; }
static void *p_callback(void) { return (void *)callback; }
static void *p_on_thread(void) { return (void *)on_thread; }
*/
import "C"

// These are the addresses of the C functions. The preamble has the functions' types.
var (
	Mixed      = C.p_mixed()
	Half       = C.p_halff()
	Both       = C.p_both()
	Negate     = C.p_negate8()
	Rotate     = C.p_rotate()
	Join       = C.p_join()
	Length     = C.p_length()
	Fail       = C.p_fail()
	FailDouble = C.p_fail_double()
	FailText   = C.p_fail_text()
	Weigh      = C.p_weigh()
	Deep       = C.p_deep()
	Fault      = C.p_fault()     // reads address 8
	Callback   = C.p_callback()  // calls Go
	OnThread   = C.p_on_thread() // int (int x): a new thread calls Go, which returns x + 1
)

//export calledFromC
func calledFromC(x C.int) C.int { return C.int(OnCall(int32(x))) }

// OnCall is the Go function that Callback and OnThread call.
var OnCall = func(x int32) int32 { return x + 1 }

var fromC func()

//export runFromC
func runFromC() { fromC() }

// RunFromC calls f in a callback: RunFromC calls C by cgo, C calls Go, and Go calls f. If elsewhere is set, f runs on a thread made by C.
func RunFromC(f func(), elsewhere bool) {
	fromC = f
	if C.run(C.bool(elsewhere)) != 0 {
		panic("no thread")
	}
}
