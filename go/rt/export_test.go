//go:build amd64 || arm64

package rt

import "sync/atomic"

const (
	Slots     = slots
	GuardSize = guardSize
)

// SlotsTaken returns the number of taken message slots.
func SlotsTaken() (n int) {
	for b := atomic.LoadUint64(&busy); b != 0; b &= b - 1 {
		n++
	}
	return n
}

// TakeAllSlots takes the free message slots, until restore is called. No goroutine may panic in Rust meanwhile.
func TakeAllSlots() (restore func()) {
	old := atomic.SwapUint64(&busy, ^uint64(0))
	return func() { atomic.StoreUint64(&busy, old) }
}

// CallFields returns the offsets of g.syscallsp and g.throwsplit, or 0 if they were not found.
func CallFields() (sp, throw uintptr) { return callSP, callThrow }

// FindCallFields repeats the search for the offsets of g.syscallsp and g.throwsplit.
func FindCallFields() (sp, throw uintptr) { return findCall() }

// FindP repeats the search for the offset of m.p.
func FindP() uintptr { return findP() }

// EnterCall calls enterCall, as the entry of a blocking call does before the Rust code. Go code may call EnterCall only if blocking calls are
// ordinary calls.
func EnterCall() { enterCall() }

// LeaveCall calls leaveCall, as the entry of a blocking call does after the Rust code.
func LeaveCall() { leaveCall() }

// Noticed reports whether callNotice was printed, and resets the flag.
func Noticed() bool { return atomic.SwapUint32(&callNoticed, 0) != 0 }

// Passes returns a function that calls server.passes for a panic with this message, which has the last slot but one, and whose Go functions had
// panics with these numbers.
func Passes(message string, panics ...uintptr) func() uintptr {
	const slot = slots - 1
	s := server{task: new(task), panics: panics}
	s.task.words[0], s.task.words[1] = slot, uintptr(copy(messages[slot][:], message))
	return func() uintptr { return s.passes(taskUnwound) }
}
