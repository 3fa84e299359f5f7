//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"bytes"
	"flag"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/fastcgo/internal/ctest"
)

var hammerTime = flag.Duration("hammer", 0, "how long TestHammer runs; 2 s if 0, 0.5 s with -short")

// grow uses some n KiB of stack, so that the runtime must enlarge or move the stack.
//
//go:noinline
func grow(n int) int {
	var frame [1024]byte
	frame[n%len(frame)] = 1
	if n == 0 {
		return int(frame[0])
	}
	return grow(n-1) + int(frame[n%len(frame)])
}

// Many goroutines make calls under all possible interruptions: stacks that grow before and after a call, garbage collections in a loop, the
// profiler's signal at 2000 Hz, preemption, and the execution tracer.
func TestHammer(t *testing.T) {
	duration := *hammerTime
	if duration == 0 {
		duration = 2 * time.Second
		if testing.Short() {
			duration = time.Second / 2
		}
	}
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer trace.Stop()
	var profile bytes.Buffer
	runtime.SetCPUProfileRate(2000)
	if err := pprof.StartCPUProfile(&profile); err != nil { // warns on stderr that the rate is already set, and keeps the rate
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()

	weigh := Bind[func(*uint64, uint64, uint64, uint64, uint64, uint64) uint64](ctest.Weigh)
	small := Bind[func(uint8) uint8](ctest.Increment)
	float := Bind[func(uint64, float64) uint64](ctest.Increment)
	clobber := Bind[func()](ctest.Clobber)
	needy := Bind[func(uint64) uint64](ctest.Increment, NeedStack(2048))
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())
	tail := Bind[func(string) string](ctest.Increment)
	waitsForTail := Bind[func(string) string](ctest.Increment, Blocking())

	stop := make(chan bool)
	var wg sync.WaitGroup
	var calls atomic.Uint64
	run := func(f func(i int) bool) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if !f(i) {
					t.Error("a wrong result")
					return
				}
			}
		}()
	}
	run(func(int) bool { runtime.GC(); return true })
	for g := range 32 {
		run(func(i int) bool {
			ok := make(chan bool)
			go func() { // runs on a new, small stack
				x := uint64(g)
				good := grow(i%40) == i%40+1
				for k := range uintptr(50) {
					p := new(uint64)
					*p = uint64(k)
					good = good &&
						UnsafeCall6Return1(ctest.Weigh, uintptr(unsafe.Pointer(&x)), k, 1, 1, 1, 1) == uintptr(g)+2*k+18 &&
						weigh(p, 1, 1, 1, 1, 1) == uint64(k)+20 &&
						small(uint8(k)+250) == uint8(k)+251 &&
						float(uint64(k), 1.5) == uint64(k)+1 &&
						needy(uint64(k)) == uint64(k)+1 &&
						tail("some text") == "ome text"
					UnsafeCall0(ctest.Clobber)
					clobber()
				}
				good = good && UnsafeCall1Return1(ctest.Spin, uintptr(i%5000)) == uintptr(i%5000) && waits(100) == 100 && waitsForTail("some text") == "ome text"
				ok <- good && grow(i%60) == i%60+1
			}()
			calls.Add(50*8 + 3)
			return <-ok
		})
	}
	time.Sleep(duration)
	close(stop)
	wg.Wait()
	t.Logf("%d calls", calls.Load())
}

// Signals arrive during C code while all registers that C may use hold garbage. The collector must stop every goroutine, and it signals running
// goroutines.
func TestSignalsDuringC(t *testing.T) {
	const long = 20_000_000 // number of steps, which take some ten milliseconds
	bound := Bind[func(uint64) uint64](ctest.Spin)
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())
	var collections atomic.Uint64
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := 0; i < 5 || collections.Load() == 0; i++ {
			if UnsafeCall1Return1(ctest.Spin, long) != long || bound(long) != long || waits(long) != long {
				t.Error("a wrong result")
			}
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
			runtime.GC()
			collections.Add(1)
		}
	}
}

// meeting holds two flags. C code in ctest.Await sets the first flag and waits for the second. A goroutine waits for the first flag and sets the
// second.
var meeting [2]uint64

// During a blocking call another goroutine can run on the processor. During an ordinary call no other goroutine can.
func TestBlockingReleasesTheProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// met reports whether another goroutine ran while C waited for that goroutine.
	met := func(await func() (left uint64)) bool {
		meeting = [2]uint64{}
		done := make(chan bool)
		go func() {
			defer close(done)
			for atomic.LoadUint64(&meeting[0]) == 0 {
				runtime.Gosched()
			}
			atomic.StoreUint64(&meeting[1], 1)
		}()
		left := await()
		<-done
		return left > 0
	}
	// C gives up after this number of steps: short takes about a tenth of a second, for calls during which no other goroutine may run. long takes
	// about a minute, for calls during which another goroutine must run.
	const short, long = 300_000_000, 100_000_000_000
	blocking := Bind[func(*uint64, uint64) uint64](ctest.Await, Blocking())
	if !met(func() uint64 { return blocking(&meeting[0], long) }) {
		t.Error("no other goroutine ran during a blocking call")
	}
	address := uintptr(unsafe.Pointer(&meeting))
	if !met(func() uint64 { return uint64(UnsafeBlockingCall(ctest.Await, address, long)) }) {
		t.Error("no other goroutine ran during UnsafeBlockingCall")
	}
	if how != wayCgo && met(func() uint64 { return uint64(UnsafeCall2Return1(ctest.Await, address, short)) }) {
		t.Error("another goroutine ran during a call that does not tell the scheduler")
	}
}

func TestWatch(t *testing.T) {
	var lock sync.Mutex
	var running, done []Overstay
	report := func(o Overstay) {
		lock.Lock()
		defer lock.Unlock()
		if o.Running {
			running = append(running, o)
		} else {
			done = append(done, o)
		}
	}
	const limit = 10 * time.Millisecond
	stop := Watch(limit, report)
	spin := Bind[func(uint64) uint64](ctest.Spin)
	calls := 0 // number of reported calls
	for _, call := range []func(steps uint64){
		func(steps uint64) { UnsafeCall1(ctest.Spin, uintptr(steps)) },
		func(steps uint64) {
			if got := spin(steps); got != steps {
				t.Errorf("the result is %d", got)
			}
		},
	} {
		for _, steps := range []uint64{1000, 200_000_000} {
			start := time.Now()
			call(steps)
			took := time.Since(start)
			lock.Lock()
			reported := len(done) - calls
			calls = len(done)
			lock.Unlock()
			// The system may run another thread during a short call, so that the call takes long.
			if reported > 1 || reported == 1 && took <= limit || reported == 0 && steps > 1000 {
				t.Errorf("a call of %d steps that took %v is reported %d times", steps, took, reported)
			}
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("two watchdogs")
			}
		}()
		Watch(time.Second, report)
	}()
	stop()
	UnsafeCall1(ctest.Spin, 200_000_000) // by now no watchdog runs
	lock.Lock()
	defer lock.Unlock()
	if len(done) != calls {
		t.Fatalf("%d calls are reported, %d of them after stop: %v", len(done), len(done)-calls, done)
	}
	for _, o := range done {
		caller, _ := runtime.CallersFrames(o.Callers).Next()
		const want = "rustgo.dev/fastcgo.TestWatch.func" // the closures of the list above
		if o.Func != uintptr(ctest.Spin) || o.Elapsed < limit || !strings.HasPrefix(caller.Function, want) {
			t.Errorf("reported: %+v, the caller is %s", o, caller.Function)
		}
	}
	if len(running) > calls {
		t.Errorf("%d reports of calls that run, of %d calls", len(running), calls)
	}
	for i := range slots {
		if slots[i].start != 0 {
			t.Errorf("slot %d is still taken", i)
		}
	}
}

// stopping runs f and fails the test if f does not return within a minute.
func stopping(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("stop does not return")
	}
}

// A report may call stop. The test covers the report of a running call, on the watchdog's goroutine, and the report of a call that has returned.
func TestWatchStopInReport(t *testing.T) {
	for _, inRunning := range []bool{true, false} {
		reported := make(chan bool, 100)
		var stop func()
		var stopped atomic.Bool
		stop = Watch(time.Millisecond, func(o Overstay) {
			if stopped.Load() {
				t.Error("a report begins after stop")
			}
			if o.Running == inRunning {
				stop()
				stopped.Store(true)
				reported <- true
			}
		})
		stopping(t, func() {
			// The loop repeats, because other threads influence whether the watchdog notices a call while the call runs.
			for start := time.Now(); !stopped.Load() && time.Since(start) < 30*time.Second; {
				UnsafeCall1(ctest.Spin, 20_000_000)
			}
			stop()
		})
		if n := len(reported); n == 0 {
			t.Errorf("no report with Running %v in 30 seconds", inRunning)
		} else if n > 1 {
			t.Errorf("%d reports", n)
		}
		Watch(time.Hour, func(Overstay) {})() // panics if a watchdog is still running
	}
}

// stop waits for running reports, and no report begins after stop has returned.
func TestWatchNoReportAfterStop(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	var reports atomic.Int64
	pause, spin := 300*time.Microsecond, uintptr(20_000)
	began := time.Now()
	for round := 0; round < rounds || reports.Load() == 0 && time.Since(began) < time.Minute; round++ {
		if round >= rounds {
			// If the system's timers are coarse, or the system is busy, the test makes calls that outlast a timer.
			pause, spin = 30*time.Millisecond, 5_000_000
		}
		var running atomic.Int64
		var stopped atomic.Bool
		stop := Watch(time.Microsecond, func(Overstay) {
			running.Add(1)
			defer running.Add(-1)
			if stopped.Load() {
				t.Error("a report begins after stop returned")
			}
			reports.Add(1)
			time.Sleep(100 * time.Microsecond)
		})
		var calls sync.WaitGroup
		for range 4 {
			calls.Add(1)
			go func() {
				defer calls.Done()
				for range 20 {
					UnsafeCall1(ctest.Spin, spin)
				}
			}()
		}
		time.Sleep(pause)
		stopping(t, stop)
		stopped.Store(true)
		if n := running.Load(); n != 0 {
			t.Errorf("%d reports run after stop returned", n)
		}
		calls.Wait()
	}
	if reports.Load() == 0 {
		t.Error("nothing was reported")
	}
}

// A call that began before Watch is never reported. A report that panics does not make stop wait for ever.
func TestWatchdogTell(t *testing.T) {
	var reports []Overstay
	w := &watchdog{began: 100, report: func(o Overstay) { reports = append(reports, o); panic("report") }, ended: make(chan struct{}), reporting: map[uintptr]int{}}
	w.idle.L = &watchLock
	tell := func(began int64) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		w.tell(began, Overstay{})
		return false
	}
	if tell(99) || len(reports) != 0 {
		t.Error("a call that began before Watch is reported")
	}
	if !tell(100) || len(reports) != 1 || len(w.reporting) != 0 {
		t.Errorf("%d reports, %d running", len(reports), len(w.reporting))
	}
	w.stopped = true
	if tell(101) || len(reports) != 1 {
		t.Error("a report begins after stop")
	}
}
