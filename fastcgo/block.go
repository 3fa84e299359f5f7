//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import "unsafe"

// block describes a C call to the assembly: the contents of the registers and of the stack. The assembly uses the offsets of the fields as numbers.
type block struct {
	fn     unsafe.Pointer
	words  uintptr     // number of words used of the field stack
	ints   [8]uintptr  // integer registers; after the call ints[0] is the result
	floats [8]uint64   // floating-point registers; after the call floats[0] is the result
	stack  [16]uintptr // arguments on the stack

	// errno is nil or a C function that returns the address of the thread's errno, an int. callBlock sets errno to zero before the call. After the
	// call it stores errno in ints[1].
	errno   unsafe.Pointer
	errnoAt uintptr // used by callBlock
}

// direct calls the C function c with arg on the system stack and returns true. If the stack has less than need bytes, direct calls nothing and
// returns false.
//
//go:noescape
func direct(c uintptr, arg unsafe.Pointer, need uintptr) bool

// addresses returns the addresses of assembly functions that Go code cannot name as values: functions with C's calling convention, and the code of
// closures. See the assembly.
func addresses() (block, words, plain, need, any, goCode, errno uintptr)

func getg() uintptr

// getsp returns an address in its caller's frame. The address of a variable cannot be used, because under -asan variables are on the heap.
func getsp() uintptr
