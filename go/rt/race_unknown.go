//go:build race && (!(amd64 || arm64) || go1.27)

package rt

import (
	"runtime"
	"unsafe"
)

// RaceRead tells the race detector that its caller reads bytes bytes at address. RaceWrite does so for a write. address may be nil if bytes is 0.
// From Go 1.27 on the linker rejects references to the runtime functions that race_amd64.s uses. So a report names runtime.racereadrange or
// runtime.racewriterange first, and then the caller, because these two functions are not inlined.
//
//go:noinline
func RaceRead(address unsafe.Pointer, bytes uintptr) {
	if bytes != 0 {
		runtime.RaceReadRange(address, int(bytes))
	}
}

// RaceWrite is described at [RaceRead].
//
//go:noinline
func RaceWrite(address unsafe.Pointer, bytes uintptr) {
	if bytes != 0 {
		runtime.RaceWriteRange(address, int(bytes))
	}
}
