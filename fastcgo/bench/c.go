//go:build cgo && linux

package bench

/*
#cgo LDFLAGS: -ldl
#cgo noescape increment_quiet
#cgo nocallback increment_quiet
#cgo noescape call_weigh_quiet
#cgo nocallback call_weigh_quiet
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t increment(uint64_t x) { return x + 1; }
static uint64_t increment_quiet(uint64_t x) { return x + 1; }
static uint64_t weigh(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
	return a + 2*b + 3*c + 4*d + 5*e + 6*f;
}
static uint64_t call_weigh(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) { return weigh(a, b, c, d, e, f); }
static uint64_t call_weigh_quiet(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) { return weigh(a, b, c, d, e, f); }
static double scale(double x, double y) { return x * y; }
static void *p_increment(void) { return (void *)increment; }
static void *p_weigh(void) { return (void *)weigh; }
static void *p_scale(void) { return (void *)scale; }

// The program looks up functions of libraries at run time, so that it builds without the libraries. So every way of calling C calls a library
// function through a pointer.
static uint32_t call_crc32(void *f, uint32_t crc, void *p, uint32_t n) {
	return (uint32_t)((unsigned long (*)(unsigned long, void *, uint32_t))f)(crc, p, n);
}
static int call_siphash(void *f, void *out, void *in, uint64_t n, void *key) {
	return ((int (*)(void *, void *, unsigned long long, void *))f)(out, in, n, key);
}
static int call_sign(void *f, void *sig, void *m, uint64_t n, void *sk) {
	return ((int (*)(void *, void *, void *, unsigned long long, void *))f)(sig, NULL, m, n, sk);
}
*/
import "C"

import "unsafe"

// These are the C functions that each way of calling C calls.
var (
	increment = C.p_increment()
	weigh     = C.p_weigh()
	scale     = C.p_scale()
)

func cgoIncrement(x uint64) uint64      { return uint64(C.increment(C.uint64_t(x))) }
func cgoIncrementQuiet(x uint64) uint64 { return uint64(C.increment_quiet(C.uint64_t(x))) }
func cgoWeigh(a, b, c, d, e, f uint64) uint64 {
	return uint64(C.call_weigh(C.uint64_t(a), C.uint64_t(b), C.uint64_t(c), C.uint64_t(d), C.uint64_t(e), C.uint64_t(f)))
}
func cgoWeighQuiet(a, b, c, d, e, f uint64) uint64 {
	return uint64(C.call_weigh_quiet(C.uint64_t(a), C.uint64_t(b), C.uint64_t(c), C.uint64_t(d), C.uint64_t(e), C.uint64_t(f)))
}
func cgoScale(x, y float64) float64 { return float64(C.scale(C.double(x), C.double(y))) }

func cgoCRC32(f unsafe.Pointer, crc uint32, p *byte, n uint32) uint32 {
	return uint32(C.call_crc32(f, C.uint32_t(crc), unsafe.Pointer(p), C.uint32_t(n)))
}
func cgoSipHash(f unsafe.Pointer, out, in *byte, n uint64, key *byte) int32 {
	return int32(C.call_siphash(f, unsafe.Pointer(out), unsafe.Pointer(in), C.uint64_t(n), unsafe.Pointer(key)))
}
func cgoSign(f unsafe.Pointer, sig, m *byte, n uint64, sk *byte) int32 {
	return int32(C.call_sign(f, unsafe.Pointer(sig), unsafe.Pointer(m), C.uint64_t(n), unsafe.Pointer(sk)))
}

// symbol returns the address of a function of a shared library, or nil.
func symbol(library, name string) unsafe.Pointer {
	l, n := C.CString(library), C.CString(name)
	defer C.free(unsafe.Pointer(l))
	defer C.free(unsafe.Pointer(n))
	h := C.dlopen(l, C.RTLD_NOW)
	if h == nil {
		return nil
	}
	return C.dlsym(h, n)
}
