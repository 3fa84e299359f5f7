//go:build amd64 || arm64

package rt

import "sync/atomic"

const (
	Slots     = slots
	GuardSize = guardSize
)

// SlotsTaken says how many message slots are taken.
func SlotsTaken() (n int) {
	for b := atomic.LoadUint64(&busy); b != 0; b &= b - 1 {
		n++
	}
	return n
}

// TakeAllSlots takes the free message slots and returns what gives them back. No panic may be under way.
func TakeAllSlots() (restore func()) {
	old := atomic.SwapUint64(&busy, ^uint64(0))
	return func() { atomic.StoreUint64(&busy, old) }
}
