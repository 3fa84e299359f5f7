//go:build race && (amd64 || arm64) && !go1.27

package rt

import "unsafe"

// RaceRead tells the race detector that the function which calls it reads this many bytes, and RaceWrite that it writes them. The address
// may be nil if they are none.
//
// runtime.RaceReadRange says so too, but a report then begins with runtime.racereadrange, the function that it is assembly behind, and
// does not name a caller that was inlined, nor the one that the call was inlined into. These two hand over where they were called, as the
// code that the compiler adds does: see race_amd64.s and race_arm64.s.
//
//go:noescape
func RaceRead(address unsafe.Pointer, bytes uintptr)

// RaceWrite is described at [RaceRead].
//
//go:noescape
func RaceWrite(address unsafe.Pointer, bytes uintptr)
