//go:build (linux || darwin || windows) && (amd64 || arm64)

//lint:file-ignore U1000 assembly calls these functions

package fastcgo

import "unsafe"

// words describes a call of an UnsafeCall function to callWords. The assembly uses the offsets of the fields as numbers.
type words struct {
	args   *[7]uintptr // fn and its arguments, on the stack of the caller
	result uintptr
}

// slow makes a call that is not direct. It is nosplit for the same reason as the function run.
//
//go:norace
//go:nosplit
func slow(w *words) { run(callWordsAt, unsafe.Pointer(w), 0, false) }

// UnsafeCall0 to UnsafeCall6Return1 jump to these assembly functions if calls are not direct. The assembly functions call slow.

func slow0(fn unsafe.Pointer)
func slow1(fn unsafe.Pointer, a0 uintptr)
func slow2(fn unsafe.Pointer, a0, a1 uintptr)
func slow3(fn unsafe.Pointer, a0, a1, a2 uintptr)
func slow4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr)
func slow5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr)
func slow6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr)
func slow0Return1(fn unsafe.Pointer) uintptr
func slow1Return1(fn unsafe.Pointer, a0 uintptr) uintptr
func slow2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr
func slow3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr
func slow4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr
func slow5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr
func slow6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
