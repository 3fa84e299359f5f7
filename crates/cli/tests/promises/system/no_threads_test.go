package promises

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	single "scratch/no_threads"
)

// rayon works on the calling goroutine's thread, whichever that is, and nothing waits for a thread that does not exist.
func TestRayonWithoutThreads(t *testing.T) {
	data := make([]uint64, 20_000)
	want := uint64(0)
	for i := range data {
		data[i] = uint64(i * 7919 % 100_003)
		want += data[i] * data[i]
	}
	sorted := slices.Clone(data)
	slices.Sort(sorted)
	var wg sync.WaitGroup
	for range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			for range times(20) {
				if got := single.Sum(data); got != want {
					t.Errorf("the sum is %d, not %d", got, want)
				}
				s := slices.Clone(data)
				single.Sort(s)
				if !slices.Equal(s, sorted) {
					t.Error("not sorted")
				}
				if got := single.Scope(100); got != 4950+100 {
					t.Errorf("the scopes add %d", got)
				}
				if p := panicked(t, "Fails", func() { single.Fails(data, 7919) }); p.Message != "found 7919" {
					t.Error(p)
				}
				items := single.NewItems(1000)
				if got := items.Total(); got != 999*1000/2 {
					t.Errorf("the total is %d", got)
				}
				n := uint64(0)
				for x := range items.All() {
					if x != n {
						t.Errorf("item %d is %d", n, x)
					}
					if n++; n == 500 {
						// Other calls may run between two steps of an iterator.
						single.Scope(3)
						break
					}
				}
				if err := items.Close(); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if n, err := single.Pool(3, false); err == nil {
		t.Errorf("a pool has %d threads", n)
	}
}

// All calls see one set of thread-local variables, also after a panic.
func TestOneThread(t *testing.T) {
	before := single.Calls()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread() // a thread of its own
			single.Calls()
			panicked(t, "Fails", func() { single.Fails([]uint64{1}, 1) })
		}()
	}
	wg.Wait()
	if got := single.Calls(); got != before+9 {
		t.Errorf("%d calls, then %d", before, got)
	}
}

// rayon keeps addresses of a call's variables until destructors remove them. A call that would abandon its frames ends the process, because later
// calls would use these addresses.
func TestRayonEndsTheProcess(t *testing.T) {
	for _, c := range []struct {
		name, says string
		f          func()
	}{
		{"recurse", "rust stack budget of", func() { single.Recurse(1 << 40) }},
		{"meet", "waits for another thread, and its package has none", func() { single.Meet() }},
	} {
		if os.Getenv("CHILD") == c.name {
			value := caught(c.f)
			t.Fatalf("went on after %v with %d threads", value, single.Each())
		}
		if os.Getenv("CHILD") != "" {
			continue
		}
		output, code := inChild(t, c.name)
		if code != 2 || !strings.Contains(output, c.says) || strings.Contains(output, "went on") {
			t.Errorf("%s: exit code %d\n%s", c.name, code, output)
		}
	}
	if got := single.Recurse(10) + uint64(single.Each()); got != 10+1 {
		t.Error(got)
	}
}

// rayon remembers that its global pool could not be made, so each later use panics. A global pool of only the current thread works. If rayon was used
// before, Init returns an error, and rayon still works.
func TestGlobalPoolWithoutThreads(t *testing.T) {
	data := []uint64{1, 2, 3}
	text := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	sum := func() {
		if got := single.Sum(data); got != 14 {
			t.Errorf("the sum is %d", got)
		}
	}
	const exists = "The global thread pool has already been initialized."
	switch os.Getenv("CHILD") {
	case "failed":
		if err := single.Init(3, false); !strings.Contains(text(err), "not implemented") {
			t.Errorf("Init: %v", err)
		}
		for range 2 {
			if p := panicked(t, "Sum", func() { single.Sum(data) }); !strings.Contains(p.Message, "The global thread pool has not been initialized") {
				t.Error(p)
			}
		}
	case "current":
		if err := single.Init(1, true); err != nil {
			t.Errorf("Init: %v", err)
		}
		sum()
		if err := single.Init(1, true); text(err) != exists {
			t.Errorf("Init: %v", err)
		}
	case "used":
		sum()
		if err := single.Init(3, false); text(err) != exists {
			t.Errorf("Init: %v", err)
		}
		sum()
	case "pool":
		// Only one pool can be made: its thread is the current thread, and a thread belongs to at most one pool.
		if n, err := single.Pool(1, true); n != 1 || err != nil {
			t.Errorf("the pool has %d threads: %v", n, err)
		}
		if n, err := single.Pool(1, true); err == nil {
			t.Errorf("the second pool has %d threads", n)
		}
		sum()
	case "broken":
		// The error comes too late: the current thread already belongs to a pool whose other thread does not exist. Each waits for that thread.
		if n, err := single.Pool(2, true); err == nil {
			t.Errorf("the pool has %d threads", n)
		}
		sum()
		t.Fatalf("went on: %v", caught(func() { single.Each() }))
	case "":
		for _, name := range []string{"failed", "current", "used", "pool"} {
			if output, code := inChild(t, name); code != 0 || !strings.Contains(output, "PASS") {
				t.Errorf("%s: exit code %d\n%s", name, code, output)
			}
		}
		if output, code := inChild(t, "broken"); code != 2 || !strings.Contains(output, "waits for another thread, and its package has none") {
			t.Errorf("broken: exit code %d\n%s", code, output)
		}
	}
}

// A call that waits for another one does not keep the goroutine's processor, and unreachable objects are dropped although calls run.
func TestWaitingForTheThread(t *testing.T) {
	before := single.Dropped()
	for range 10 {
		single.NewItems(10)
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for !stop.Load() {
			single.Slow(100_000)
		}
	}()
	for end := time.Now().Add(20 * time.Second); single.Dropped() < before+10; runtime.GC() {
		if time.Now().After(end) {
			t.Errorf("%d of 10 objects were dropped", single.Dropped()-before)
			break
		}
	}
	stop.Store(true)
	wg.Wait()
}
