//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"runtime"
	"strings"
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

	// Callers are the Go frames that led to the call, as runtime.Callers has them, from the function that made it; nil while it runs.
	Callers []uintptr
}

// slots for calls under way that are watched; all fields are atomic. A call that finds none free is watched only when it comes back.
var slots [64]struct {
	start int64 // nanoseconds, 0 if free, -1 if it was just taken
	fn    uintptr
	_     [48]byte
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
	if atomic.LoadUint32(&watching) != 0 {
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
		var reported [len(slots)]int64
		for {
			select {
			case <-done:
				return
			case <-ticks.C:
				lookAtSlots(int64(limit), &reported, report)
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

// lookAtSlots reports calls that last too long. reported has the start of the last one of each slot: a slot's next call begins later.
func lookAtSlots(limit int64, reported *[len(slots)]int64, report func(Overstay)) {
	for i := range slots {
		s := &slots[i]
		start, fn := atomic.LoadInt64(&s.start), atomic.LoadUintptr(&s.fn)
		now := nanotime()
		if start > 0 && now-start > limit && start != reported[i] && atomic.LoadInt64(&s.start) == start {
			reported[i] = start
			report(Overstay{Func: fn, Elapsed: time.Duration(now - start), Running: true})
		}
	}
}

// watch is a call that is watched.
type watch struct {
	fn    uintptr
	start int64
	slot  int // -1 if there was none
}

// beginWatch is called by run, and nosplit like it.
//
//go:norace
//go:nosplit
func beginWatch(c uintptr, arg unsafe.Pointer) watch {
	w := watch{fn: *(*uintptr)(arg), start: nanotime(), slot: -1} // a block begins with fn
	if c == callWordsAt {
		w.fn = (*words)(arg).args[0]
	}
	for i := range slots {
		s := &slots[i]
		if atomic.LoadInt64(&s.start) == 0 && atomic.CompareAndSwapInt64(&s.start, 0, -1) {
			atomic.StoreUintptr(&s.fn, w.fn)
			atomic.StoreInt64(&s.start, w.start)
			w.slot = i
			break
		}
	}
	return w
}

func endWatch(w watch) {
	elapsed := nanotime() - w.start
	if w.slot >= 0 {
		atomic.StoreInt64(&slots[w.slot].start, 0)
	}
	if elapsed > watchLimit.Load() {
		overstayed(w.fn, elapsed)
	}
}

//go:noinline
func overstayed(fn uintptr, elapsed int64) {
	pcs := make([]uintptr, 40)
	pcs = callers(pcs[:runtime.Callers(1, pcs)])
	(*watchFunc.Load())(Overstay{Func: fn, Elapsed: time.Duration(elapsed), Callers: pcs})
}

// callers takes away the frames that are the package's own, and reflect's where Bind's functions go by way of it. The first is
// overstayed's.
func callers(pcs []uintptr) []uintptr {
	own := ""
	for i := range pcs {
		frame, _ := runtime.CallersFrames(pcs[i:]).Next()
		if i == 0 {
			own = strings.TrimSuffix(frame.Function, "overstayed")
			continue
		}
		name, isOwn := strings.CutPrefix(frame.Function, own)
		switch {
		case isOwn && (name == "endWatch" || name == "run" || strings.HasPrefix(name, "slow")):
		case isOwn && (strings.HasPrefix(name, "Bind[") || strings.HasPrefix(name, "UnsafeCall")):
		case frame.Function == "reflect.callReflect" || frame.Function == "reflect.makeFuncStub":
		default:
			return pcs[i:]
		}
	}
	return nil
}

// setWatching makes all calls go through run, or not.
func setWatching(on bool) {
	atomic.StoreUint32(&watching, word32Of(on))
	indirect.Store(word32Of(on || how != wayDirect))
}

func word32Of(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
