//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import "unsafe"

// block is a C call as assembly reads it: what goes into which register, and what onto the stack. The assembly knows its
// offsets by number.
type block struct {
	fn     unsafe.Pointer
	words  uintptr     // words of stack that are used
	ints   [8]uintptr  // registers for integers; the result, in ints[0]
	floats [8]uint64   // registers for floating-point numbers; the result, in floats[0]
	stack  [16]uintptr // the rest
}

// direct calls the C function c with arg on the system stack and reports true, or reports false: the stack has not need bytes.
//
//go:noescape
func direct(c uintptr, arg unsafe.Pointer, need uintptr) bool

// C functions, and the code of closures, that are known by address only; see the assembly.
func addresses() (block, words, plain, need, any uintptr)

func getg() uintptr

// getsp returns an address in the frame of its caller. That of a variable would not do: under -asan they live on the heap.
func getsp() uintptr
