//go:build race && (amd64 || arm64) && !go1.27

package rt

import "unsafe"

// RaceRead tells the race detector that its caller reads bytes bytes at address. RaceWrite does so for a write. address may be nil if bytes is 0.
//
// With runtime.RaceReadRange instead, a report would begin with runtime.racereadrange, the assembly function that it calls, and would not name an
// inlined caller or the function into which the caller was inlined. RaceRead and RaceWrite pass on the address of their call, as compiler-generated
// code does: see race_amd64.s and race_arm64.s.
//
//go:noescape
func RaceRead(address unsafe.Pointer, bytes uintptr)

// RaceWrite is described at [RaceRead].
//
//go:noescape
func RaceWrite(address unsafe.Pointer, bytes uintptr)
