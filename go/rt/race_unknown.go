//go:build race && (!(amd64 || arm64) || go1.27)

package rt

import (
	"runtime"
	"unsafe"
)

// RaceRead reports to the race detector that the caller of RaceRead reads a number of bytes at address. RaceWrite reports a write. address may be
// nil if bytes is 0. From Go 1.27 on the linker rejects references to the runtime functions that race_amd64.s uses. So a report begins with
// runtime.racereadrange or runtime.racewriterange. RaceRead and RaceWrite are not inlined, so the report also names their caller.
//
//go:noinline
func RaceRead(address unsafe.Pointer, bytes uintptr) {
	if bytes != 0 {
		runtime.RaceReadRange(address, int(bytes))
	}
}

// RaceWrite reports a write to the race detector, as [RaceRead] reports a read.
//
//go:noinline
func RaceWrite(address unsafe.Pointer, bytes uintptr) {
	if bytes != 0 {
		runtime.RaceWriteRange(address, int(bytes))
	}
}
