//go:build amd64 || arm64

package fastcgo

import (
	"errors"
	"runtime"
)

// tlsOffset is where, from the thread environment block, the runtime keeps g. Assembly for arm64 reads it; on amd64 the
// assembler knows by itself, and the tests compare.
var tlsOffset uintptr

// The slots for thread-local storage in the thread environment block, and the one word that the runtime takes when all are
// taken (wintls in sys_windows_*.s).
const (
	tebArbitraryPointer = 0x28
	tebSlots            = 0x1480
	tebSlotCount        = 64
)

func teb() uintptr

// findTLS looks for the slot that holds g, on several goroutines and threads: it is the only one that holds it on all. On amd64
// there is nothing to find, since the assembler knows.
func findTLS() error {
	if runtime.GOARCH == "amd64" {
		return nil
	}
	return probe(func(word, g uintptr) bool { return word == g })
}

// probe sets tlsOffset to the one slot whose word always fits g.
func probe(fits func(word, g uintptr) bool) error {
	candidates := fitting(fits)
	for range 8 {
		seen := make(chan []uintptr)
		go func() {
			runtime.LockOSThread() // and never unlock: the thread ends with the goroutine, and the next one is new
			seen <- fitting(fits)
		}()
		candidates = both(candidates, <-seen)
	}
	if len(candidates) != 1 {
		return errors.New("the runtime's slot in thread-local storage was not found")
	}
	tlsOffset = candidates[0]
	return nil
}

func both(a, b []uintptr) (both []uintptr) {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				both = append(both, x)
			}
		}
	}
	return both
}

// fitting returns the offsets of the slots that fit.
func fitting(fits func(word, g uintptr) bool) (offsets []uintptr) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, t := getg(), teb()
	if fits(wordAt(t, tebArbitraryPointer), g) {
		offsets = append(offsets, tebArbitraryPointer)
	}
	for o := uintptr(tebSlots); o < tebSlots+8*tebSlotCount; o += 8 {
		if fits(wordAt(t, o), g) {
			offsets = append(offsets, o)
		}
	}
	return offsets
}
