package promises

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"scratch/watch"
)

// A call of `long` rounds takes longer than `limit`. A call of a few rounds exceeds the limit only by chance.
const (
	long  = 3_000_000
	limit = time.Millisecond
)

// overstayed calls f, and returns for each function how many of its calls were reported as too long.
func overstayed(t *testing.T, limit time.Duration, f func()) map[string]int {
	t.Helper()
	var lock sync.Mutex
	count := map[string]int{}
	stop := rt.Watch(limit, func(o rt.Overstay) {
		lock.Lock()
		defer lock.Unlock()
		if o.Elapsed <= limit || len(o.Callers) == 0 {
			t.Errorf("a report of %+v", o)
		}
		if !o.Running {
			count[o.Func]++
		}
	})
	f()
	stop()
	return count
}

func recovered(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestWatchSeesLongCalls(t *testing.T) {
	got := overstayed(t, limit, func() {
		watch.Spin(long)
		watch.SpinFramed(long)
		watch.SpinBlocking(long)
		watch.SpinBlockingOver(nil, long)
		watch.SpinBlockingOver(make([]byte, 200), long)
	})
	if len(got) != 2 || got["scratch/watch.Spin"] != 1 || got["scratch/watch.SpinFramed"] != 1 {
		t.Errorf("got %v", got)
	}
	if got := overstayed(t, time.Hour, func() { watch.Spin(long) }); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	var o atomic.Pointer[rt.Overstay]
	stop := rt.Watch(limit, func(seen rt.Overstay) { o.Store(&seen) })
	watch.Spin(long)
	stop()
	if text := o.Load().String(); !strings.Contains(text, "called by scratch.TestWatchSeesLongCalls (") {
		t.Errorf("it says %s", text)
	}
}

func TestWatchSeesCallsThatPanic(t *testing.T) {
	got := overstayed(t, limit, func() {
		if p, ok := recovered(func() { watch.Panics(nil, 3, long) }).(*rt.Panic); !ok || !strings.HasPrefix(p.Message, "index out of bounds") || len(p.Frames) == 0 {
			t.Errorf("it panics with %v", p)
		}
		if p, ok := recovered(func() { watch.Exhausts(1_000_000, long) }).(*rt.Panic); !ok || !strings.Contains(p.Message, "budget of 16 KiB exhausted") {
			t.Errorf("it panics with %v", p)
		}
		if _, ok := recovered(func() { watch.Faults(long) }).(runtime.Error); !ok {
			t.Error("the fault is lost")
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer runtime.Goexit()
			watch.Panics(nil, 3, long)
		}()
		<-ended
	})
	if len(got) != 3 || got["scratch/watch.Panics"] != 2 || got["scratch/watch.Exhausts"] != 1 || got["scratch/watch.Faults"] != 1 {
		t.Errorf("got %v", got)
	}
}

func TestWatchOfManyGoroutines(t *testing.T) {
	const goroutines, calls = 8, 5
	got := overstayed(t, limit, func() {
		var wait sync.WaitGroup
		for range goroutines {
			wait.Go(func() {
				for range calls {
					watch.Spin(long)
					_ = recovered(func() { watch.Panics(nil, 0, long) })
				}
			})
		}
		wait.Wait()
	})
	if got["scratch/watch.Spin"] != goroutines*calls || got["scratch/watch.Panics"] != goroutines*calls {
		t.Errorf("got %v", got)
	}
}

func TestWatchedCallsHaveEqualResults(t *testing.T) {
	check := func() {
		data := []uint16{1, 2, 3}
		sum, double, not, letter := watch.Mixed(1, "four", data, &[2]uint32{10, 20}, 1.5, false)
		if sum != 35 || double != 3 || !not || letter != 'ß' || data[0] != 3 {
			t.Errorf("got %v %v %v %q %v", sum, double, not, letter, data)
		}
		if got := watch.Exhausts(3, 1); got == 0 {
			t.Error("nothing was added")
		}
	}
	check()
	overstayed(t, time.Hour, check)
	mixed := watch.Spin // a function value
	if mixed(3) != watch.SpinBlocking(3) {
		t.Error("another result")
	}
	// The arguments of the Go function do not escape.
	data, pair := make([]uint16, 3), new([2]uint32)
	if n := testing.AllocsPerRun(100, func() { watch.Mixed(1, "", data, pair, 1, true) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
