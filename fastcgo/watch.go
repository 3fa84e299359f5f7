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

// slots holds the watched calls that are running. All fields are accessed atomically. If there is no free slot, a call is checked only after it has
// returned.
var slots [64]struct {
	start int64 // nanoseconds; 0 if free, -1 if just taken
	fn    uintptr
	_     [48]byte
}

// watchdog is the state that a call of Watch creates.
type watchdog struct {
	limit  int64 // nanoseconds
	began  int64 // nanotime of the call of Watch; earlier C calls are not reported
	report func(Overstay)
	ended  chan struct{} // closed by stop

	// The mutex watchLock guards the following fields.
	stopped   bool
	reporting map[uintptr]int // number of running reports, by the g of their goroutine
	idle      sync.Cond       // signalled when reporting becomes empty
}

var (
	watchLock sync.Mutex
	current   atomic.Pointer[watchdog] // the running watchdog or nil; changed with watchLock held
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Watch calls report for every call of this package that lasts longer than limit, until stop is called. If another processor is free, the first
// report of such a call comes while the call runs, on a goroutine of the watchdog. Another report follows on the goroutine of the call, after the
// call has returned. Reports may run at the same time. Watch ignores blocking calls, and calls that began before Watch. It is meant for tests and for
// finding faults: while the watchdog runs, calls take some hundred nanoseconds longer. Watch panics if a watchdog is already running.
//
// When stop returns, no report is running and no further report begins. If report calls stop, stop does not wait for the running reports. stop may
// be called more than once.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) {
	watchLock.Lock()
	defer watchLock.Unlock()
	if current.Load() != nil {
		panic("fastcgo: Watch: there is a watchdog already")
	}
	w := &watchdog{limit: int64(limit), began: nanotime(), report: report, ended: make(chan struct{}), reporting: map[uintptr]int{}}
	w.idle.L = &watchLock
	current.Store(w)
	setWatching(true)
	go w.watch()
	return w.stop
}

// watch reports running calls that exceed the limit.
func (w *watchdog) watch() {
	ticks := time.NewTicker(max(time.Duration(w.limit/2), 100*time.Microsecond))
	defer ticks.Stop()
	var reported [len(slots)]int64 // for each slot, the start of the last reported call; the slot's next call begins later
	for {
		select {
		case <-w.ended:
			return
		case <-ticks.C:
			w.lookAtSlots(&reported)
		}
	}
}

func (w *watchdog) stop() {
	watchLock.Lock()
	defer watchLock.Unlock()
	if !w.stopped {
		w.stopped = true
		close(w.ended)
		setWatching(false)
		current.Store(nil)
	}
	if w.reporting[getg()] > 0 {
		return // a report calls stop: waiting for this report, or for another report that calls stop, would never end
	}
	for len(w.reporting) > 0 {
		w.idle.Wait()
	}
}

// tell calls w.report, unless w was stopped or the C call began before w.
func (w *watchdog) tell(began int64, o Overstay) {
	g := getg()
	watchLock.Lock()
	if w.stopped || began < w.began {
		watchLock.Unlock()
		return
	}
	w.reporting[g]++ // a report may call C, and this call may be reported too
	watchLock.Unlock()
	defer func() { // runs also if report panics or ends the goroutine
		watchLock.Lock()
		defer watchLock.Unlock()
		if w.reporting[g]--; w.reporting[g] == 0 {
			delete(w.reporting, g)
		}
		if len(w.reporting) == 0 {
			w.idle.Broadcast()
		}
	}()
	w.report(o)
}

// lookAtSlots reports calls that have run for longer than the limit.
func (w *watchdog) lookAtSlots(reported *[len(slots)]int64) {
	for i := range slots {
		s := &slots[i]
		start, fn := atomic.LoadInt64(&s.start), atomic.LoadUintptr(&s.fn)
		now := nanotime()
		if start > 0 && now-start > w.limit && start != reported[i] && atomic.LoadInt64(&s.start) == start {
			reported[i] = start
			w.tell(start, Overstay{Func: fn, Elapsed: time.Duration(now - start), Running: true})
		}
	}
}

// watch is a call that a watchdog measures.
type watch struct {
	fn    uintptr
	start int64
	slot  int // -1 if no slot was free
}

// begin starts to measure a C call. It leaves w zero if announced is true (see run), if no watchdog is running, or if this process cannot call C
// (wayNone). run and runBlock call begin before the C call. Like run, begin is nosplit, because the goroutine's stack must not move.
//
//go:norace
//go:nosplit
func (w *watch) begin(c uintptr, arg unsafe.Pointer, announced bool) {
	if announced || atomic.LoadUint32(&watching) == 0 || how == wayNone {
		return // with wayNone, run panics before it calls end
	}
	w.fn = *(*uintptr)(arg) // fn is the first field of a block
	w.start = nanotime()
	w.slot = -1
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
}

// end is called by run and runBlock after the C call. Its callee ended may move the goroutine's stack.
//
//go:norace
//go:nosplit
func (w *watch) end() {
	if w.start != 0 {
		w.ended()
	}
}

func (w *watch) ended() {
	elapsed := nanotime() - w.start
	if w.slot >= 0 {
		atomic.StoreInt64(&slots[w.slot].start, 0)
	}
	if dog := current.Load(); dog != nil && elapsed > dog.limit {
		overstayed(dog, w.start, w.fn, elapsed)
	}
}

//go:noinline
func overstayed(dog *watchdog, start int64, fn uintptr, elapsed int64) {
	pcs := make([]uintptr, 40)
	pcs = callers(pcs[:runtime.Callers(1, pcs)])
	dog.tell(start, Overstay{Func: fn, Elapsed: time.Duration(elapsed), Callers: pcs})
}

// callers returns pcs without the leading frames of this package. The first frame in pcs is the function overstayed.
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
		case isOwn && (name == "(*watch).ended" || name == "(*watch).end" || name == "run" || strings.HasPrefix(name, "slow")):
		case isOwn && (name == "boundCall" || name == "boundGo" || strings.HasPrefix(name, "runBlock") || strings.HasPrefix(name, "UnsafeCall")):
		default:
			return pcs[i:]
		}
	}
	return nil
}

// setWatching sets whether all calls are made through the function run.
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
