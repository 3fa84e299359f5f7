//go:build amd64 || arm64

package fastcgo

import (
	"errors"
	"runtime"
)

// tlsOffset is the offset of the slot that holds g from the start of the thread environment block. Assembly for arm64 reads tlsOffset. On amd64 the
// assembler knows the offset, and tests compare it with the result of the function probe.
var tlsOffset uintptr

// These constants are the offsets in the thread environment block at which g can be: the slots for thread-local storage, and one word that the
// runtime uses if all slots are taken (wintls in sys_windows_*.s).
const (
	tebArbitraryPointer = 0x28
	tebSlots            = 0x1480
	tebSlotCount        = 64
)

func teb() uintptr

// findTLS finds the slot that holds g: the only slot whose content equals g on several threads. On amd64 it does nothing, because the assembler knows
// the slot.
func findTLS() error {
	if runtime.GOARCH == "amd64" {
		return nil
	}
	return probe(func(word, g uintptr) bool { return word == g })
}

// probe finds the only slot for which fits(word, g) is true on every thread that it tries. It sets tlsOffset to the slot's offset.
func probe(fits func(word, g uintptr) bool) error {
	candidates := fitting(fits)
	for range 8 {
		seen := make(chan []uintptr)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and the next thread is new
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

// fitting returns the offsets of all slots of this thread for which fits(word, g) is true.
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
