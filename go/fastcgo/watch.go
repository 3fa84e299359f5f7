//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Overstay is a call that took longer than it should.
type Overstay struct {
	Func    uintptr       // address of the C function
	Elapsed time.Duration // until now, or until it came back
	Running bool          // it has not come back yet

	// Callers are the Go frames that led to the call, as runtime.Callers has them; nil while it runs.
	Callers []uintptr
}

// slots for calls under way that are watched. A call that finds none free is watched only when it comes back.
var slots [64]struct {
	start    atomic.Int64 // nanoseconds, 0 if free, -1 if it was just taken
	fn       atomic.Uintptr
	reported atomic.Bool
	_        [40]byte
}

var (
	watchLock  sync.Mutex
	watchLimit atomic.Int64
	watchFunc  atomic.Pointer[func(Overstay)]
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Watch reports every call of this package that lasts longer than limit, until stop is called: once from a goroutine of its own
// while the call runs, if another processor is free to notice, and once on the goroutine of the call when it came back. Calls
// that tell the scheduler are not watched. It is meant for tests and for finding fault: calls take some hundred nanoseconds
// longer while it runs. There is one watchdog; Watch panics if it is running.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) {
	watchLock.Lock()
	defer watchLock.Unlock()
	if watching.Load() {
		panic("fastcgo: Watch: there is a watchdog already")
	}
	watchLimit.Store(int64(limit))
	watchFunc.Store(&report)
	setWatching(true)
	done := make(chan bool)
	var ended sync.WaitGroup
	ended.Add(1)
	go func() {
		defer ended.Done()
		ticks := time.NewTicker(max(limit/2, 100*time.Microsecond))
		defer ticks.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticks.C:
				lookAtSlots(int64(limit), report)
			}
		}
	}()
	return sync.OnceFunc(func() {
		watchLock.Lock()
		defer watchLock.Unlock()
		close(done)
		ended.Wait()
		setWatching(false)
	})
}

func lookAtSlots(limit int64, report func(Overstay)) {
	for i := range slots {
		s := &slots[i]
		start, fn := s.start.Load(), s.fn.Load()
		now := nanotime()
		if start > 0 && now-start > limit && s.start.Load() == start && s.reported.CompareAndSwap(false, true) {
			report(Overstay{Func: fn, Elapsed: time.Duration(now - start), Running: true})
		}
	}
}

// watched is run with a clock.
//
//go:nosplit
func watched(c uintptr, arg unsafe.Pointer, need uintptr) bool {
	fn := *(*uintptr)(arg) // where callBlock has it
	if c == callWordsAt {
		fn = (*words)(arg).args[0]
	}
	start := nanotime()
	slot := -1
	for i := range slots {
		if slots[i].start.Load() == 0 && slots[i].start.CompareAndSwap(0, -1) {
			slots[i].fn.Store(fn)
			slots[i].reported.Store(false)
			slots[i].start.Store(start)
			slot = i
			break
		}
	}
	ok := unwatched(c, arg, need)
	elapsed := nanotime() - start
	if slot >= 0 {
		slots[slot].start.Store(0)
	}
	if elapsed > watchLimit.Load() {
		overstayed(fn, elapsed) // may move the stack: the call was made
	}
	return ok
}

//go:noinline
func overstayed(fn uintptr, elapsed int64) {
	pcs := make([]uintptr, 32)
	pcs = pcs[:runtime.Callers(3, pcs)]
	(*watchFunc.Load())(Overstay{Func: fn, Elapsed: time.Duration(elapsed), Callers: pcs})
}

// setWatching makes all calls go through run, or not.
func setWatching(on bool) {
	watching.Store(on)
	indirect.Store(uint32(b2u(on || how != wayDirect)))
}

func b2u(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
