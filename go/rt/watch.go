package rt

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe" // for linkname
)

// Overstay is a Rust call that takes longer than the limit of [Watch].
type Overstay struct {
	Func    string        // the Go function, as tracebacks name it: example.com/hash.Sum
	Elapsed time.Duration // since the start of the call, until now or until it returned
	Running bool          // the call has not returned yet

	// Callers are the callers of Func, the innermost first, as runtime.Callers returns them.
	Callers []uintptr
}

// String returns the function, the time, and the caller.
func (o Overstay) String() string {
	text := o.Func + " took " + o.Elapsed.String()
	if o.Running {
		text = o.Func + " has been running for " + o.Elapsed.String()
	}
	if caller, _ := runtime.CallersFrames(o.Callers).Next(); caller.PC != 0 {
		text += ", called by " + caller.Function + " (" + caller.File + ":" + strconv.Itoa(caller.Line) + ")"
	}
	return text
}

// watchdog is the state that a call of Watch creates.
type watchdog struct {
	limit  time.Duration
	report func(Overstay)
	ended  chan struct{} // closed by stop

	lock      sync.Mutex // guards the fields below
	stopped   bool
	calls     map[*WatchedCall]struct{} // the running calls
	reporting map[string]int            // the number of running reports, by goroutine
	idle      sync.Cond                 // signalled when reporting becomes empty
}

// WatchedCall is a running call that a watchdog (see [Watch]) measures.
type WatchedCall struct {
	dog    *watchdog
	began  int64       // by nanotime
	told   bool        // reported while it runs; guarded by dog.lock
	frames [32]uintptr // the watched function, and its callers
	depth  int
}

var (
	watchable atomic.Bool              // the program has a function that calls WatchCall
	current   atomic.Pointer[watchdog] // nil if no watchdog is active
)

// nanotime replaces time.Now: inside a bubble of package synctest, the clock of time.Now does not advance during a call.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Watch calls report for every ordinary Rust call that takes longer than limit, until stop is called. If another processor is free, the first report
// of such a call comes while the call runs, on a goroutine of the watchdog. Another report follows on the goroutine of the call, after the call
// returned or panicked. Reports may run at the same time.
//
// Watch measures calls of packages that were made by `rustgo build --watch` and import this copy of rt. It panics if the program has no such package,
// or if Watch is already active. In a package with threads = "none", the time of a call includes its wait for other calls. Watch measures neither
// calls of exports with the option `blocking` nor calls that began before Watch. Watch is for tests: while it is active, a call takes about a
// microsecond longer.
//
// When stop returns, no report is running and no further report begins. If report calls stop, stop does not wait for the running reports. stop may be
// called more than once.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) {
	if !watchable.Load() {
		panic("rt: Watch: the program has no package that rustgo build --watch made, that imports this rt, and that has calls without the option blocking")
	}
	dog := &watchdog{
		limit: limit, report: report, ended: make(chan struct{}), calls: map[*WatchedCall]struct{}{}, reporting: map[string]int{},
	}
	dog.idle.L = &dog.lock
	if !current.CompareAndSwap(nil, dog) {
		panic("rt: Watch: there is a watchdog already")
	}
	go dog.watch()
	return dog.stop
}

// WatchPackage is called by packages made by `rustgo build --watch` when the program starts.
func WatchPackage() { watchable.Store(true) }

// WatchCall is called by the functions of packages made by `rustgo build --watch` before they call Rust. They defer End of the result. The result
// may be nil.
func WatchCall() *WatchedCall {
	if dog := current.Load(); dog != nil {
		return dog.begin()
	}
	return nil
}

func (dog *watchdog) begin() *WatchedCall {
	c := &WatchedCall{dog: dog}
	c.depth = runtime.Callers(3, c.frames[:]) // 3: without Callers, begin and WatchCall
	dog.lock.Lock()
	defer dog.lock.Unlock()
	dog.calls[c] = struct{}{}
	c.began = nanotime()
	return c
}

// End is called after the call returned or panicked.
func (c *WatchedCall) End() {
	if c == nil {
		return
	}
	elapsed := time.Duration(nanotime() - c.began)
	c.dog.lock.Lock()
	delete(c.dog.calls, c)
	c.dog.lock.Unlock()
	if elapsed > c.dog.limit {
		c.dog.tell(c.overstay(elapsed, false))
	}
}

func (c *WatchedCall) overstay(elapsed time.Duration, running bool) Overstay {
	watched, _ := runtime.CallersFrames(c.frames[:1]).Next()
	return Overstay{Func: watched.Function, Elapsed: elapsed, Running: running, Callers: c.frames[min(1, c.depth):c.depth]}
}

// watch reports running calls that exceed the limit.
func (dog *watchdog) watch() {
	ticks := time.NewTicker(max(dog.limit/2, 100*time.Microsecond))
	defer ticks.Stop()
	for {
		select {
		case <-dog.ended:
			return
		case <-ticks.C:
			for _, o := range dog.overstaying() {
				dog.tell(o)
			}
		}
	}
}

// overstaying returns the running calls that exceed the limit, except calls that it has already returned.
func (dog *watchdog) overstaying() (found []Overstay) {
	dog.lock.Lock()
	defer dog.lock.Unlock()
	for c := range dog.calls {
		if elapsed := time.Duration(nanotime() - c.began); elapsed > dog.limit && !c.told {
			c.told = true
			found = append(found, c.overstay(elapsed, true))
		}
	}
	return found
}

// tell calls report with o unless the watchdog was stopped.
func (dog *watchdog) tell(o Overstay) {
	me := goroutine()
	dog.lock.Lock()
	if dog.stopped {
		dog.lock.Unlock()
		return
	}
	dog.reporting[me]++ // a count, because report may call Rust code, and that call may be reported too
	dog.lock.Unlock()
	defer func() { // runs also if report panics or ends the goroutine
		dog.lock.Lock()
		defer dog.lock.Unlock()
		if dog.reporting[me]--; dog.reporting[me] == 0 {
			delete(dog.reporting, me)
		}
		if len(dog.reporting) == 0 {
			dog.idle.Broadcast()
		}
	}()
	dog.report(o)
}

func (dog *watchdog) stop() {
	me := goroutine()
	dog.lock.Lock()
	defer dog.lock.Unlock()
	if !dog.stopped {
		dog.stopped = true
		close(dog.ended)
		current.Store(nil)
	}
	if dog.reporting[me] > 0 {
		return // a report called stop: waiting for it, or for another report that calls stop, would never end
	}
	for len(dog.reporting) > 0 {
		dog.idle.Wait()
	}
}

// goroutine returns the number of the current goroutine. A traceback begins with it: "goroutine 18 [running]:".
func goroutine() string {
	var text [64]byte
	_, rest, _ := strings.Cut(string(text[:runtime.Stack(text[:], false)]), " ")
	number, _, _ := strings.Cut(rest, " ")
	return number
}
