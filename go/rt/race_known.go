//go:build race && (amd64 || arm64) && !go1.27

package rt

import "unsafe"

// RaceRead reports to the race detector that its caller reads a number of bytes at address. RaceWrite reports a write. address may be nil if bytes
// is 0.
//
// A report after runtime.RaceReadRange would begin with runtime.racereadrange, an assembly function, and would lack callers that are inlined or
// contain the inlined call. RaceRead and RaceWrite pass on the address of their call, as compiler-generated code does: see race_amd64.s and
// race_arm64.s.
//
//go:noescape
func RaceRead(address unsafe.Pointer, bytes uintptr)

// RaceWrite is described at [RaceRead].
//
//go:noescape
func RaceWrite(address unsafe.Pointer, bytes uintptr)
