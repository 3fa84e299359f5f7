//go:build race && (amd64 || arm64) && !go1.27

package rt

import "unsafe"

// RaceRead reports to the race detector that the caller of RaceRead reads a number of bytes at address. RaceWrite reports a write. address may be
// nil if bytes is 0.
//
// RaceRead and RaceWrite do not call runtime.RaceReadRange. If they did, a report would begin with the assembly function runtime.racereadrange, and
// would lack callers that are inlined or contain the inlined call. Instead they pass the address of their own call to the detector, as
// compiler-generated code does; see race_amd64.s and race_arm64.s.
//
//go:noescape
func RaceRead(address unsafe.Pointer, bytes uintptr)

// RaceWrite reports a write to the race detector, as [RaceRead] reports a read.
//
//go:noescape
func RaceWrite(address unsafe.Pointer, bytes uintptr)
