package fastcgo

import "unsafe"

// masked makes the same call as direct, with all signals blocked during the call.
//
//go:noescape
func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool
