package fastcgo

import "unsafe"

// masked is direct with all signals blocked.
//
//go:noescape
func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool
