//go:build amd64 && !windows && go1.24 && !go1.28

// Package bare measures a call to C that only switches stacks: the technique of github.com/nitrix/fastcgo and of rust2go, written anew. It is for
// comparison only. Its behaviour is undefined if C faults, if a profiler's signal arrives, if C calls Go, or if the Go version has other offsets.
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
