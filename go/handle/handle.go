package handle

import (
	"iter"
	"strconv"
)

// Handle is a number that identifies a Go value. The zero Handle identifies no value.
type Handle uint64

// InvalidError is the value with which [Handle.Value] and [Handle.Delete] panic: the handle that is not live.
type InvalidError Handle

// Error returns a message with the number.
func (e InvalidError) Error() string {
	if e == 0 {
		return "handle: the zero handle stands for nothing"
	}
	return "handle: 0x" + strconv.FormatUint(uint64(e), 16) + " stands for nothing: it was deleted, or not made in this process"
}

// New returns a handle for v, which may be nil. v stays alive until the handle is deleted.
//
// New panics if there are 2³²-1 handles or almost as many.
func New(v any) Handle {
	h := Handle(std.add(v))
	if tracing {
		trace(h)
	}
	return h
}

// Value returns the value of h. It panics with an [InvalidError] if h is not live.
func (h Handle) Value() any {
	// This is table.lookup, inlined by hand so that Value fits the inlining budget.
	d := *std.directory.Load()
	if h>>chunkShift < Handle(len(d)) {
		s := &d[h>>chunkShift].slots[h>>generationBits%slotsPerChunk]
		if s.live.Load() == uint64(h) {
			v := s.load()
			if s.live.Load() == uint64(h) {
				return v
			}
		}
	}
	panic(InvalidError(h))
}

// Lookup returns the value of h, and whether h is live.
func (h Handle) Lookup() (v any, ok bool) {
	return std.lookup(uint64(h))
}

// Delete invalidates h. It panics with an [InvalidError] if h is not live. If several goroutines delete the same handle, all but one panic.
func (h Handle) Delete() {
	if !h.TryDelete() {
		panic(InvalidError(h))
	}
}

// TryDelete invalidates h, and reports whether h was live. If several goroutines delete the same handle, one of them gets true.
func (h Handle) TryDelete() bool {
	if !std.remove(uint64(h)) {
		return false
	}
	if tracing {
		untrace(h)
	}
	return true
}

// Take returns the value of h and deletes h, in one atomic step. ok reports whether h was live. If several goroutines take or delete the same handle,
// exactly one of them succeeds.
func (h Handle) Take() (v any, ok bool) {
	// A number never gets another value. So if TryDelete finds h live, v was the value of h until that moment.
	if v, ok = h.Lookup(); ok && h.TryDelete() {
		return v, true
	}
	return nil, false
}

// All iterates over the live handles and their values, in an unspecified order. It yields each handle that is live during the whole iteration once,
// and each handle that is made or deleted during the iteration at most once. The loop's body may make and delete handles.
func All() iter.Seq2[Handle, any] {
	return func(yield func(Handle, any) bool) {
		for h, v := range std.all() {
			if !yield(Handle(h), v) {
				return
			}
		}
	}
}

// Len returns the number of live handles. It visits each slot that ever had a handle, which takes about a millisecond for a million slots. If
// handles are made and deleted during the call, the result is at least the number of handles that are live during the whole call, and at most the
// number of handles that are live at any time of the call.
func Len() int {
	return std.len()
}
