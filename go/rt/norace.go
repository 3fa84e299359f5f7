//go:build !race

package rt

import "unsafe"

// RaceEnabled says whether the program was built with the race detector. Generated functions mark what Rust reads and writes only if it
// is, so that other programs contain nothing of it.
const RaceEnabled = false

// RaceRead does nothing; see race_known.go.
func RaceRead(unsafe.Pointer, uintptr) {}

// RaceWrite does nothing; see race_known.go.
func RaceWrite(unsafe.Pointer, uintptr) {}
