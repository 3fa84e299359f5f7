//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import "unsafe"

// UnsafeCall0 calls the C function fn.
//
//go:noescape
func UnsafeCall0(fn unsafe.Pointer)

// UnsafeCall1 calls the C function fn with one argument.
//
//go:noescape
func UnsafeCall1(fn unsafe.Pointer, a0 uintptr)

// UnsafeCall2 calls the C function fn with two arguments.
//
//go:noescape
func UnsafeCall2(fn unsafe.Pointer, a0, a1 uintptr)

// UnsafeCall3 calls the C function fn with three arguments.
//
//go:noescape
func UnsafeCall3(fn unsafe.Pointer, a0, a1, a2 uintptr)

// UnsafeCall4 calls the C function fn with four arguments.
//
//go:noescape
func UnsafeCall4(fn unsafe.Pointer, a0, a1, a2, a3 uintptr)

// UnsafeCall5 calls the C function fn with five arguments.
//
//go:noescape
func UnsafeCall5(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr)

// UnsafeCall6 calls the C function fn with six arguments.
//
//go:noescape
func UnsafeCall6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr)

// UnsafeCall0Return1 calls the C function fn and returns its result.
//
//go:noescape
func UnsafeCall0Return1(fn unsafe.Pointer) uintptr

// UnsafeCall1Return1 calls the C function fn with one argument and returns its result.
//
//go:noescape
func UnsafeCall1Return1(fn unsafe.Pointer, a0 uintptr) uintptr

// UnsafeCall2Return1 calls the C function fn with two arguments and returns its result.
//
//go:noescape
func UnsafeCall2Return1(fn unsafe.Pointer, a0, a1 uintptr) uintptr

// UnsafeCall3Return1 calls the C function fn with three arguments and returns its result.
//
//go:noescape
func UnsafeCall3Return1(fn unsafe.Pointer, a0, a1, a2 uintptr) uintptr

// UnsafeCall4Return1 calls the C function fn with four arguments and returns its result.
//
//go:noescape
func UnsafeCall4Return1(fn unsafe.Pointer, a0, a1, a2, a3 uintptr) uintptr

// UnsafeCall5Return1 calls the C function fn with five arguments and returns its result.
//
//go:noescape
func UnsafeCall5Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4 uintptr) uintptr

// UnsafeCall6Return1 calls the C function fn with six arguments and returns its result.
//
//go:noescape
func UnsafeCall6Return1(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
