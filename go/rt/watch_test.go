package rt_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// work stands in for a function of a package made by `rustgo build --watch`, and rust stands in for the Rust code.
//
//go:noinline
func work(rust func()) {
	defer rt.WatchCall().End()
	rust()
}

// lasting returns a function that, like Rust code, runs for the duration d without yielding its processor.
func lasting(d time.Duration) func() {
	return func() {
		for began := time.Now(); time.Since(began) < d; {
		}
	}
}

// watch calls Watch after SetWatchable(true). At the end the test fails if the watchdog still counts a call or a report.
func watch(t *testing.T, limit time.Duration, report func(rt.Overstay)) (stop func()) {
	t.Helper()
	rt.SetWatchable(true)
	stop = rt.Watch(limit, report)
	books := rt.Books()
	t.Cleanup(func() {
		stop()
		if calls, reports := books(); calls != 0 || reports != 0 {
			t.Errorf("%d calls and %d reports are left", calls, reports)
		}
	})
	return stop
}

func TestWatch(t *testing.T) {
	var lock sync.Mutex
	var running, done []rt.Overstay
	stop := watch(t, 100*time.Millisecond, func(o rt.Overstay) {
		lock.Lock()
		defer lock.Unlock()
		if o.Running {
			running = append(running, o)
		} else {
			done = append(done, o)
		}
	})
	work(func() {})
	work(lasting(300 * time.Millisecond))
	work(lasting(time.Millisecond))
	stop()
	work(lasting(150 * time.Millisecond))
	if len(done) != 1 || len(running) > 1 {
		t.Fatalf("%d reports of calls that came back, and %d of such that run; want 1 and at most 1", len(done), len(running))
	}
	for _, o := range append(running, done...) {
		if o.Func != "rustgo.dev/go/rt_test.work" || o.Elapsed < 100*time.Millisecond || !o.Running && o.Elapsed < 300*time.Millisecond {
			t.Errorf("got %+v", o)
		}
		caller, _ := runtime.CallersFrames(o.Callers).Next()
		if caller.Function != "rustgo.dev/go/rt_test.TestWatch" {
			t.Errorf("the caller is %s", caller.Function)
		}
		if text := o.String(); !strings.Contains(text, "called by rustgo.dev/go/rt_test.TestWatch (") || !strings.Contains(text, "watch_test.go:") {
			t.Errorf("it says %s", text)
		}
	}
}

func TestWatchSeesRunningCalls(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 || runtime.NumCPU() == 1 {
		t.Skip("no other processor is free to notice")
	}
	var seen atomic.Bool
	watch(t, time.Millisecond, func(o rt.Overstay) { seen.Store(seen.Load() || o.Running) })
	work(func() {
		for began := time.Now(); !seen.Load() && time.Since(began) < 10*time.Second; {
		}
	})
	if !seen.Load() {
		t.Error("a call of 10 s was not reported while it ran")
	}
}

func TestWatchedCallsThatEndOtherwise(t *testing.T) {
	var done atomic.Int64
	watch(t, time.Millisecond, func(o rt.Overstay) {
		if !o.Running {
			done.Add(1)
		}
	})
	failure := errors.New("no call")
	recovered := func(f func()) (value any) {
		defer func() { value = recover() }()
		work(f)
		return nil
	}
	long := lasting(2 * time.Millisecond)
	if got := recovered(func() { long(); panic(failure) }); got != failure {
		t.Errorf("the panic became %v", got)
	}
	if _, ok := recovered(func() { long(); _ = *(*int)(nil) }).(runtime.Error); !ok {
		t.Error("the fault is lost")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		work(func() { work(long); defer runtime.Goexit(); panic(failure) })
	}()
	<-ended
	if got := done.Load(); got != 4 {
		t.Errorf("%d reports, want 4", got)
	}
}

func TestWatchReportsThatFail(t *testing.T) {
	var reports atomic.Int64
	failure := errors.New("report")
	watch(t, time.Millisecond, func(o rt.Overstay) {
		if o.Running {
			return
		}
		if reports.Add(1)%2 == 0 {
			runtime.Goexit()
		}
		panic(failure)
	})
	for range 4 {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() { _ = recover() }()
			work(lasting(2 * time.Millisecond))
		}()
		<-ended
	}
	if got := reports.Load(); got != 4 {
		t.Errorf("%d reports, want 4", got)
	}
}

func TestWatchStopsInsideAReport(t *testing.T) {
	for _, level := range []string{"single", "system"} { // "system" adds text to the line with the number of the goroutine
		debug.SetTraceback(level)
		var stop func()
		var reports atomic.Int64
		ready := make(chan struct{})
		stop = watch(t, time.Millisecond, func(o rt.Overstay) {
			<-ready
			reports.Add(1)
			stop()
			work(lasting(2 * time.Millisecond)) // not reported, because the watchdog was stopped
		})
		close(ready)
		work(lasting(10 * time.Millisecond))
		stop()
		work(lasting(10 * time.Millisecond))
		if reports.Load() == 0 {
			t.Error("no report")
		}
	}
	debug.SetTraceback("single")
}

func TestWatchStopWaitsForReports(t *testing.T) {
	var over atomic.Bool
	began := make(chan struct{})
	stop := watch(t, time.Millisecond, func(o rt.Overstay) {
		if !o.Running {
			close(began)
			time.Sleep(20 * time.Millisecond)
			over.Store(true)
		}
	})
	go work(lasting(2 * time.Millisecond))
	<-began
	stop()
	if !over.Load() {
		t.Error("a report was running when stop returned")
	}
}

func TestWatchIgnoresCallsOfOtherTimes(t *testing.T) {
	never := func(o rt.Overstay) { t.Errorf("reported: %v", o) }
	rt.SetWatchable(true)
	work(func() {
		lasting(2 * time.Millisecond)()
		watch(t, time.Microsecond, never)()
	})
	other := watch(t, time.Hour, never)
	work(func() {
		other()
		watch(t, time.Microsecond, never)
		lasting(2 * time.Millisecond)()
	})
}

// TestWatchHammer calls from many goroutines while watchdogs start and stop.
func TestWatchHammer(t *testing.T) {
	var wait sync.WaitGroup
	var over atomic.Bool
	var calls atomic.Int64
	for g := range 16 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; !over.Load(); i++ {
				func() {
					defer func() { _ = recover() }()
					work(func() {
						lasting(time.Duration((g+i)%4) * 20 * time.Microsecond)()
						if i%5 == 0 {
							panic("call")
						}
					})
				}()
				calls.Add(1)
				runtime.Gosched()
			}
		}()
	}
	reports := 0
	for round := range 30 {
		var stopped atomic.Bool
		var seen atomic.Int64
		var stop func()
		ready := make(chan struct{})
		stop = watch(t, 10*time.Microsecond, func(o rt.Overstay) {
			if stopped.Load() {
				t.Error("a report after stop")
			}
			if o.Elapsed <= 10*time.Microsecond {
				t.Errorf("a report of %v", o.Elapsed)
			}
			if seen.Add(1) == 20 && round%3 == 0 {
				<-ready
				go stop()
			}
		})
		close(ready)
		time.Sleep(5 * time.Millisecond)
		stop()
		stopped.Store(true)
		reports += int(seen.Load())
	}
	over.Store(true)
	wait.Wait()
	if reports == 0 {
		t.Errorf("no report of %d calls", calls.Load())
	}
}

func TestWatchRefusesToStart(t *testing.T) {
	says := func(want string) {
		t.Helper()
		defer func() {
			if text, _ := recover().(string); !strings.Contains(text, want) {
				t.Errorf("it says %q, not %q", text, want)
			}
		}()
		rt.Watch(time.Hour, func(rt.Overstay) {})
	}
	rt.SetWatchable(false)
	says("rustgo build --watch")
	stop := watch(t, time.Hour, func(rt.Overstay) {})
	says("there is a watchdog already")
	stop()
	stop()
	rt.Watch(time.Hour, func(rt.Overstay) {})()
}

func BenchmarkWatchedCall(b *testing.B) {
	nothing := func() {}
	b.Run("watched", func(b *testing.B) {
		rt.SetWatchable(true)
		defer rt.Watch(time.Hour, func(rt.Overstay) {})()
		for range b.N {
			work(nothing)
		}
	})
	b.Run("unwatched", func(b *testing.B) {
		for range b.N {
			work(nothing)
		}
	})
}
