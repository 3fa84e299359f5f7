//go:build (linux || darwin || windows) && (amd64 || arm64) && !(linux && arm64)

package fastcgo

import "unsafe"

// masked differs from direct only on linux/arm64 and android/arm64.
//
//go:nosplit
func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool { return direct(c, arg, need) }
