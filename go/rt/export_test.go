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

// CallFields are the offsets of g.syscallsp and g.throwsplit that were found, or 0.
func CallFields() (sp, throw uintptr) { return callSP, callThrow }

// FindCallFields looks for them again.
func FindCallFields() (sp, throw uintptr) { return findCall() }

// EnterCall is what the entry of a blocking call calls. Only where calls are ordinary ones may Go code call it.
func EnterCall() { enterCall() }

// LeaveCall is what such an entry calls behind the Rust code.
func LeaveCall() { leaveCall() }

// Noticed says whether the notice has been given that blocking calls are ordinary ones, and says that it has not.
func Noticed() bool { return atomic.SwapUint32(&callNoticed, 0) != 0 }
