package promises

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"scratch/heap"
)

// live calls f, and fails the test if the Rust heap does not hold the same number of bytes afterwards.
func live(t *testing.T, f func()) {
	t.Helper()
	before := rt.HeapLive()
	f()
	if left := rt.HeapLive() - before; left != 0 {
		t.Errorf("%d bytes are left behind", left)
	}
}

func TestChurn(t *testing.T) {
	live(t, func() {
		var wg sync.WaitGroup
		for g := range uint64(8) {
			wg.Go(func() {
				for round := range uint64(times(50)) {
					if wrong := heap.Churn(g<<32|round, 2000); wrong != 0 {
						t.Errorf("%d allocations were overwritten", wrong)
					}
					runtime.Gosched()
				}
			})
		}
		wg.Wait()
	})
}

// A goroutine frees memory that another goroutine allocated, while stacks grow and move.
func TestFreesElsewhere(t *testing.T) {
	live(t, func() {
		boxes := make(chan uint, 1000)
		var makers, takers sync.WaitGroup
		for range 4 {
			makers.Go(func() {
				for range times(100_000) {
					boxes <- heap.Put(rand.Uint64N(1 << 60))
				}
			})
			takers.Go(func() {
				for box := range boxes {
					if heap.Take(box) == ^uint64(0) {
						t.Error("a box was overwritten")
					}
				}
			})
		}
		makers.Wait()
		close(boxes)
		takers.Wait()
	})
}

// Goroutines whose stacks grow make millions of allocations, while the collector, the profiler and the tracer run.
func TestHammer(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var before, after rt.MemStats
	rt.ReadMemStats(&before)
	start, goal := time.Now(), uint64(times(5_000_000))
	live(t, func() {
		boxes := make(chan uint, 100)
		var takers sync.WaitGroup
		for range 2 {
			takers.Go(func() {
				for box := range boxes {
					if heap.Take(box) == ^uint64(0) {
						t.Error("a box was overwritten")
					}
				}
			})
		}
		for round := uint64(0); after.Mallocs-before.Mallocs < goal; round++ {
			var wg sync.WaitGroup
			for g := range uint64(16) {
				wg.Go(func() {
					var deeper func(depth uint64) uint
					deeper = func(depth uint64) (wrong uint) {
						pad := [32]uint64{depth}
						if depth > 0 {
							wrong = deeper(depth - 1)
						}
						boxes <- heap.Put(depth)
						heap.Spin(500)
						return wrong + heap.Churn(round<<32|g<<16|pad[0], 100)
					}
					if wrong := deeper(60); wrong != 0 {
						t.Errorf("%d allocations were overwritten", wrong)
					}
				})
			}
			wg.Wait()
			rt.ReadMemStats(&after)
		}
		close(boxes)
		takers.Wait()
	})
	close(done)
	<-stopped
	made := after.Mallocs - before.Mallocs
	t.Logf("%d allocations, %.1f million a second; %d frees on another processor", made, float64(made)/time.Since(start).Seconds()/1e6,
		after.RemoteFrees-before.RemoteFrees)
}

func TestHugeAllocationsPanic(t *testing.T) {
	for _, n := range []uint{1<<63 - 1, 1<<63 - 4096, 1 << 62, 1 << 50} {
		p := panicked(t, "demand", func() { heap.Demand(n) })
		if !strings.Contains(p.Message, "capacity overflow") && !strings.Contains(p.Message, "memory allocation") {
			t.Errorf("%d bytes: %v", n, p)
		}
	}
	if got := heap.Demand(10 << 20); got < 10<<20 {
		t.Errorf("Demand gave %d bytes", got)
	}
}

func TestTheLimit(t *testing.T) {
	var stats rt.MemStats
	rt.ReadMemStats(&stats)
	defer rt.SetMemoryLimit(stats.Reserved)
	rt.SetMemoryLimit(stats.Mapped - stats.Free + 16<<20)
	for range times(100) {
		panicked(t, "over the limit", func() { heap.Demand(64 << 20) })
		if heap.Demand(1<<20) < 1<<20 {
			t.Fatal("there is no memory below the limit")
		}
	}
	rt.SetMemoryLimit(stats.Reserved)
	heap.Demand(64 << 20)
}

// Panics unwind unless the manifest says otherwise. So a panic frees the memory that the call owns.
func TestAPanicFreesMemory(t *testing.T) {
	// The first panic of a thread makes thread-local variables, which stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	panicked(t, "leak", func() { heap.Leak(100_000) })
	before := rt.HeapLive()
	for range 10 {
		panicked(t, "leak", func() { heap.Leak(100_000) })
	}
	if live := rt.HeapLive(); live != before {
		t.Errorf("%d bytes were live before 10 panics, and %d after them", before, live)
	}
}

func TestMemoryGoesBack(t *testing.T) {
	var before, after rt.MemStats
	heap.Demand(50 << 20)
	rt.FreeMemory()
	rt.ReadMemStats(&before)
	heap.Demand(50 << 20)
	rt.FreeMemory()
	rt.ReadMemStats(&after)
	if after.Free > 2<<20 || after.Mapped > before.Mapped+2<<20 || after.Peak < 50<<20 {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// Memory that was freed on another processor than the one that allocated it goes back to the system too, even if GOMAXPROCS has become smaller
// meanwhile.
func TestTrimAfterGOMAXPROCSShrinks(t *testing.T) {
	if !alone || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("changes GOMAXPROCS")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	rt.FreeMemory()
	var before, after rt.MemStats
	rt.ReadMemStats(&before)
	var made [2]*heap.Bag
	var ready, wg sync.WaitGroup
	ready.Add(2)
	for i := range made {
		wg.Go(func() {
			ready.Done()
			ready.Wait()
			made[i] = heap.NewBag(200_000)
		})
	}
	wg.Wait()
	runtime.GOMAXPROCS(1)
	for _, bag := range made {
		if err := bag.Close(); err != nil {
			t.Error(err)
		}
	}
	rt.FreeMemory()
	rt.ReadMemStats(&after)
	if after.Mapped > before.Mapped+1<<20 {
		t.Errorf("%d bytes are mapped, before %d; %d frees on other processors", after.Mapped, before.Mapped, after.RemoteFrees-before.RemoteFrees)
	}
}

func TestAlignments(t *testing.T) {
	live(t, func() {
		if left := heap.Misaligned(); left != 0 {
			t.Errorf("addresses have %#x of their alignment left", left)
		}
	})
}

func TestThreadLocalsPerThread(t *testing.T) {
	var wg sync.WaitGroup
	for g := range uint64(16) {
		wg.Go(func() {
			if g%4 == 0 {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			for n := range uint64(times(2000)) {
				if got := heap.Alone(g<<32 | n); got != g<<32|n {
					t.Errorf("%#x became %#x", g<<32|n, got)
				}
			}
		})
	}
	wg.Wait()
}

// A profile sample inside the allocator includes the Rust function that allocates.
func TestProfileOfTheAllocator(t *testing.T) {
	if emulated || raced {
		t.Skip("an emulator has no profiling signals that count")
	}
	for range 5 {
		var profile bytes.Buffer
		if err := pprof.StartCPUProfile(&profile); err != nil {
			t.Skip(err)
		}
		for begun := time.Now(); time.Since(begun) < 300*time.Millisecond; {
			heap.Spin(10_000)
		}
		pprof.StopCPUProfile()
		file := t.TempDir() + "/profile"
		if err := os.WriteFile(file, profile.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "pprof", "-traces", os.Args[0], file).CombinedOutput()
		if err != nil {
			t.Skipf("go tool pprof: %v\n%s", err, out)
		}
		for trace := range strings.SplitSeq(string(out), "-----------+") {
			if (strings.Contains(trace, "rt.memory.malloc") || strings.Contains(trace, "rustgo_heap.")) && strings.Contains(trace, "promise_heap.spin") && strings.Contains(trace, "TestProfileOfTheAllocator") {
				return
			}
		}
		t.Logf("%s", out)
	}
	t.Error("no sample has the allocator, its Rust caller and the Go caller of that")
}

// A detected misuse of memory ends the process with a message that states the reason.
func TestMisuse(t *testing.T) {
	for _, c := range []struct{ name, says string }{
		{"twice", "freed a pointer twice"},
		{"foreign", "that malloc has not returned"},
	} {
		if os.Getenv("MISUSE") == c.name {
			if c.name == "twice" {
				heap.FreeTwice()
			} else {
				heap.FreeForeign(make([]byte, 64))
			}
			return
		}
		if os.Getenv("MISUSE") != "" || emulated {
			continue
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestMisuse$")
		cmd.Env = append(os.Environ(), "MISUSE="+c.name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) || !strings.Contains(strings.ReplaceAll(string(out), "heap.rust_", "heap."), "scratch/heap.Free") {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}

// The heap works with little address space, and on systems that do not overcommit memory (promise more than they have).
func TestLittleAddressSpace(t *testing.T) {
	if os.Getenv("LITTLE") != "" {
		var stats rt.MemStats
		rt.ReadMemStats(&stats)
		if stats.Reserved == 0 || heap.Churn(1, 5000) != 0 || heap.Demand(10<<20) < 10<<20 {
			t.Errorf("%+v", stats)
		}
		return
	}
	if runtime.GOOS != "linux" || emulated || raced {
		t.Skip("only Linux has these limits, and the race detector needs more")
	}
	for _, limit := range []string{"ulimit -v 4000000", "ulimit -v 1500000", "ulimit -d 1000000"} {
		cmd := exec.Command("sh", "-c", limit+` && exec "$0" -test.run=^TestLittleAddressSpace$ -test.v`, os.Args[0])
		cmd.Env = append(os.Environ(), "LITTLE=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%s: %v\n%s", limit, err, out)
		}
	}
}
