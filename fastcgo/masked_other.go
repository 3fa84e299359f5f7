//go:build (linux || darwin || windows) && (amd64 || arm64) && !(linux && arm64)

package fastcgo

import "unsafe"

// masked does the same as direct, because only linux/arm64 and android/arm64 need signals to be blocked during a call.
//
//go:nosplit
func masked(c uintptr, arg unsafe.Pointer, need uintptr) bool { return direct(c, arg, need) }
