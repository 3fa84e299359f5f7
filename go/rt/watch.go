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

// Overstay is a call of Rust that took longer than it should.
type Overstay struct {
	Func    string        // the Go function, as tracebacks name it: example.com/hash.Sum
	Elapsed time.Duration // until now, or until it came back
	Running bool          // it has not come back yet

	// Callers are the frames that led to the call, as runtime.Callers has them, from the function that made it.
	Callers []uintptr
}

// String says what took how long, and who called it.
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

// watchdog is what a call of Watch starts.
type watchdog struct {
	limit  time.Duration
	report func(Overstay)
	ended  chan struct{} // closed by stop

	lock      sync.Mutex // guards what follows
	stopped   bool
	calls     map[*WatchedCall]struct{} // that are under way
	reporting map[string]int            // reports that are running, by their goroutine
	idle      sync.Cond                 // signalled when reporting becomes empty
}

// WatchedCall is a call that is under way while a watchdog runs.
type WatchedCall struct {
	dog    *watchdog
	began  int64       // by nanotime
	told   bool        // while it runs; guarded by dog.lock
	frames [32]uintptr // the watched function, and its callers
	depth  int
}

var (
	watchable atomic.Bool              // there is a function that calls WatchCall
	current   atomic.Pointer[watchdog] // nil if there is none
)

// nanotime is not what time.Now is in a bubble of package synctest, where calls would take no time.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Watch calls report for every ordinary call of Rust that lasts longer than limit, until stop is called: once from a goroutine of its own
// while the call runs, if another processor is free to notice, and once on the goroutine of the call when it came back or panicked.
// Reports may run at the same time.
//
// Seen are calls of packages that were made by `rustgo build --watch` and import this copy of rt; Watch panics if the program has none.
// Calls of exports with the option `blocking` are not watched, nor those that began before Watch. Watch is for tests: while it runs,
// a call takes about a microsecond longer. There is one watchdog; Watch panics if it is running.
//
// When stop returns, no report is running and none will begin. Called by report itself, stop does not wait for reports that are
// running, but none will begin. stop may be called more than once.
func Watch(limit time.Duration, report func(Overstay)) (stop func()) {
	if !watchable.Load() {
		panic("rt: Watch: nothing can be seen: no package that imports this rt and has ordinary calls was made by rustgo build --watch")
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

// WatchCall is called by the functions of such packages before they call Rust, and End of its result, which may be nil, when that came back
// or panicked.
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

// End is called when the call is over.
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

// watch looks for calls that overstay while they run.
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

// overstaying returns the calls that run for too long, each once.
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

// tell calls report unless the watchdog was stopped.
func (dog *watchdog) tell(o Overstay) {
	me := goroutine()
	dog.lock.Lock()
	if dog.stopped {
		dog.lock.Unlock()
		return
	}
	dog.reporting[me]++ // a report may call Rust, and that call may be reported too
	dog.lock.Unlock()
	defer func() { // also if report panics or ends the goroutine
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
		return // a report calls stop: to wait for that report, or for another that calls stop too, would be for ever
	}
	for len(dog.reporting) > 0 {
		dog.idle.Wait()
	}
}

// goroutine returns the number of the goroutine that runs, which a traceback begins with: "goroutine 18 [running]:".
func goroutine() string {
	var text [64]byte
	_, rest, _ := strings.Cut(string(text[:runtime.Stack(text[:], false)]), " ")
	number, _, _ := strings.Cut(rest, " ")
	return number
}
