//go:build !race

package rt

import "unsafe"

// RaceEnabled reports whether the program was built with the race detector. Generated functions call RaceRead and RaceWrite only if RaceEnabled is
// true, so other programs contain no code for the detector.
const RaceEnabled = false

// RaceRead does nothing without the race detector. See race_known.go.
func RaceRead(unsafe.Pointer, uintptr) {}

// RaceWrite does nothing without the race detector. See race_known.go.
func RaceWrite(unsafe.Pointer, uintptr) {}
