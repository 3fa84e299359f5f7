//go:build race && (!(amd64 || arm64) || go1.27)

package rt

import (
	"runtime"
	"unsafe"
)

// RaceRead tells the race detector that the function which calls it reads this many bytes, and RaceWrite that it writes them. The address
// may be nil if they are none. From Go 1.27 on the linker lets nobody refer to what race_known.go uses. So reports name runtime.racereadrange or
// runtime.racewriterange first, and then the caller, because these functions are not inlined.
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
