//go:build amd64 && !windows && go1.24 && !go1.28

// Package bare measures a call to C that only switches stacks: the technique of github.com/nitrix/fastcgo and of rust2go, written anew. It is for
// comparison only: a fault in C, a profile, a call of Go from C, and a version of Go with other offsets are all undefined behaviour.
package bare

import "unsafe"

// Call1 calls fn(a0).
//
//go:noescape
func Call1(fn unsafe.Pointer, a0 uintptr) uintptr

// Call6 calls fn(a0, …, a5).
//
//go:noescape
func Call6(fn unsafe.Pointer, a0, a1, a2, a3, a4, a5 uintptr) uintptr
