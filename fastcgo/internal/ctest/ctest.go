//go:build amd64 || arm64

// Package ctest has functions in assembly with C's calling convention, so that tests without a C compiler can call C.
package ctest

import "unsafe"

// Recorded holds the values that Record found: the integer registers in order, the floating-point registers in order, the first words of the
// arguments on the stack, and the value of SP before the call.
var Recorded struct {
	Ints   [8]uint64
	Floats [8]uint64
	Stack  [16]uint64
	SP     uint64
}

// These constants are the results of Record, as an integer and as a floating-point number.
const (
	RecordInt   = 0x8899aabbccddeeff
	RecordFloat = 0x400921fb54442d18 // π
)

// Errno is set by Fail.
var Errno int32

func addresses() (record, spin, clobber, fault, sp, increment, weigh, await, hold, fail, errno, apply uintptr)

// These are the addresses of the C functions.
var (
	Record    unsafe.Pointer // double or uint64_t Record(...): fills Recorded
	Spin      unsafe.Pointer // uint64_t Spin(uint64_t n): takes n steps with garbage in all registers that C preserves
	Clobber   unsafe.Pointer // void Clobber(void): leaves garbage in all registers that C does not preserve
	Fault     unsafe.Pointer // void Fault(void): reads address 8
	SP        unsafe.Pointer // uint64_t SP(void): the stack pointer
	Increment unsafe.Pointer // uint64_t Increment(uint64_t x): x + 1
	Weigh     unsafe.Pointer // uint64_t Weigh(uint64_t *a, b, c, d, e, f): *a + 2b + 3c + 4d + 5e + 6f
	Await     unsafe.Pointer // uint64_t Await(uint64_t words[2], uint64_t n): sets words[0] to 1, waits at most n steps for words[1], and returns the number of steps left
	Hold      unsafe.Pointer // char *Hold(uint64_t words[2], uint64_t n, char *s): does the same as Await and returns s
	Fail      unsafe.Pointer // int Fail(int n): sets Errno to n and returns its previous value
	ErrnoFunc unsafe.Pointer // int *ErrnoFunc(void): the address of Errno; leaves garbage in the registers of arguments
	Apply     unsafe.Pointer // uint64_t Apply(uint64_t (*f)(uint64_t), uint64_t x): f(x)
)

func init() {
	for i, a := range list(addresses()) {
		*[]*unsafe.Pointer{&Record, &Spin, &Clobber, &Fault, &SP, &Increment, &Weigh, &Await, &Hold, &Fail, &ErrnoFunc, &Apply}[i] = *(*unsafe.Pointer)(unsafe.Pointer(&a))
	}
}

func list(a ...uintptr) []uintptr { return a }
