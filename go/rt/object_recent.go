package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A cleanup costs more time than everything else in the life of a short-lived object, and most objects are closed soon. So a new object has no cleanup.
// It enters the table recent, which keeps it reachable. An object that is closed leaves the table, and never needs a cleanup. An object that is still
// in the table soon after the next collection, or when a later object needs its slot, leaves the table and gets a cleanup.

// recent holds objects without a cleanup. Its length is a power of two.
var recent [256]atomic.Pointer[objectAndState]

// recentMade is the number of objects that were made since the start.
var recentMade atomic.Uint32

var recentOnce sync.Once

// enter puts a new object into the table and returns the object's number.
func (o *objectAndState) enter() uint32 {
	recentOnce.Do(func() { afterCollections(watchRecent) })
	number := recentMade.Add(1)
	// Objects that different goroutines make at the same time get slots in different cache lines, if pointers have 8 bytes.
	const line = 8
	o.state.slot = (number*line | number/(uint32(len(recent))/line)%line) % uint32(len(recent))
	if old := recent[o.state.slot].Swap(o); old != nil {
		old.watch()
	}
	return number
}

// watchRecent gives each object in the table a cleanup, and empties the table.
func watchRecent() {
	for i := range recent {
		if recent[i].Load() == nil {
			continue
		}
		if old := recent[i].Swap(nil); old != nil {
			old.watch()
		}
	}
}

// watch attaches the cleanup to an object that has left the table. keep may run at the same time.
func (o *objectAndState) watch() {
	s := &o.state
	if s.watched.Load() != watchedNot {
		return
	}
	// The cleanup does not read the state, because the state may be freed before the cleanup runs. So code that drops or takes the value earlier must
	// stop the cleanup, and must keep the object alive until the cleanup is stopped.
	s.cleanup = runtime.AddCleanup(o, unreachable.end, s.made)
	if !s.watched.CompareAndSwap(watchedNot, watchedYes) {
		s.cleanup.Stop() // keep ran before this CompareAndSwap, and did not see the cleanup
	}
	runtime.KeepAlive(o) // the cleanup must not be queued before
}

// keep sees to it that the garbage collector does not drop the value. Two calls of keep for one object must not run at the same time.
func (s *objectState) keep() {
	if s.watched.Swap(watchedNever) == watchedYes {
		s.cleanup.Stop()
	} else {
		o := (*objectAndState)(unsafe.Add(unsafe.Pointer(s), -int(unsafe.Offsetof(objectAndState{}.state))))
		recent[s.slot].CompareAndSwap(o, nil)
	}
	runtime.KeepAlive(s) // the cleanup must not be queued before Stop returns
}

// afterCollections calls f after each garbage collection. f runs in the cleanup of an unreachable variable. The cleanup also makes the next
// unreachable variable. A finalizer would not run while another finalizer of the program waits.
func afterCollections(f func()) {
	type sentinel struct{ _ [16]byte } // smaller variables may share memory with variables that stay reachable
	var again func(int)
	again = func(int) {
		f()
		runtime.AddCleanup(new(sentinel), again, 0)
	}
	runtime.AddCleanup(new(sentinel), again, 0)
}
