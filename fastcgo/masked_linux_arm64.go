package fastcgo

import "unsafe"

// masked does the same as direct, but blocks all signals during the call.
//
//go:noescape
func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool
