package promises

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/rt"
	"scratch/blocking"
)

// spins is a number of rounds for which the Rust code needs some milliseconds.
const spins = 5_000_000

// forever is the number of rounds after which a call of Wait ends if Release is not called.
const forever = 1 << 36

// stopsTheWorld reports whether collections stop the world. If they do, the stack may move when a call panics, and the message is lost.
var stopsTheWorld = strings.Contains(os.Getenv("GODEBUG"), "gcstoptheworld")

// waiting calls f in n goroutines, calls rest while all n calls are running, and then calls blocking.Release(1). f must return then, and not
// before.
func waiting(t *testing.T, n uint32, f func(), rest func()) {
	t.Helper()
	blocking.Release(0)
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	for end := time.Now().Add(time.Minute); blocking.Inside() != n; time.Sleep(100 * time.Microsecond) {
		if time.Now().After(end) {
			blocking.Release(1)
			t.Fatalf("%d of %d calls have begun", blocking.Inside(), n)
		}
	}
	rest()
	if inside := blocking.Inside(); inside != n {
		t.Errorf("%d of %d calls were left", inside, n)
	}
	blocking.Release(1)
	wg.Wait()
}

// A collection ends while blocking calls run on more threads than there are processors. With ordinary calls the collection would wait for ever,
// because the calls end only after the collection.
func TestBlockingLetsTheCollectorGoOn(t *testing.T) {
	n := uint32(runtime.GOMAXPROCS(0)) + 2
	waiting(t, n, func() { blocking.Wait(forever) }, func() {
		for range 5 {
			runtime.GC()
		}
		// Other operations that stop the world also end, and other goroutines run.
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		debug.FreeOSMemory()
		done := make(chan bool)
		go func() { close(done) }()
		<-done
	})
}

func TestBlockingOver(t *testing.T) {
	// A call with more than 100 bytes of arguments is a blocking call. These calls have 101 or 102 bytes: the bytes of all arguments count.
	for _, large := range []func() uint64{
		func() uint64 { return blocking.WaitOverFor(make([]uint16, 25), strings.Repeat("x", 51), forever) },
		func() uint64 { return blocking.WaitOverFor(make([]uint16, 51), "", forever) },
		func() uint64 { return blocking.WaitOverFor(nil, strings.Repeat("x", 101), forever) },
	} {
		waiting(t, 1, func() { large() }, runtime.GC)
	}
	if runtime.GOMAXPROCS(0) == 1 || emulated {
		t.Skip("nobody runs beside an ordinary call")
	}
	// A call with 100 bytes is an ordinary call: a collection that begins during the call ends after the call.
	blocking.Release(0)
	done := make(chan bool)
	go func() { blocking.WaitOverFor(make([]uint16, 25), strings.Repeat("x", 50), spins); close(done) }()
	for blocking.Inside() == 0 {
		runtime.Gosched()
		select {
		case <-done:
			t.Skip("the call was over too soon")
		default:
		}
	}
	runtime.GC()
	if blocking.Inside() != 0 {
		t.Error("a collection did not wait for an ordinary call")
	}
	<-done
	for _, n := range []int{0, 10, 1000} {
		if got := blocking.Over(make([]uint64, n), "ten", make([][3]byte, n)); got != uint(2*n+3) {
			t.Errorf("Over gave %d", got)
		}
	}
}

// The collector scans the stack of a goroutine in a blocking call, and finds memory to which only the call's arguments refer.
func TestBlockingIsScanned(t *testing.T) {
	var wrong atomic.Int64
	call := func() {
		a, b := make([]uint64, 1000), make([]uint64, 3000)
		for i := range a {
			a[i] = 3
		}
		for i := range b {
			b[i] = 5
		}
		if got := blocking.WaitFor(a, b, strings.Repeat("text", 500)); got != 3*1000+5*3000+2000 {
			wrong.Add(1)
		}
	}
	waiting(t, 8, call, func() {
		var keep [][]uint64
		for range 5 {
			runtime.GC()
			for range 500 { // overwrites freed memory
				s := make([]uint64, 1000+runtime.NumGoroutine())
				for i := range s {
					s[i] = 1 << 40
				}
				keep = append(keep, s)
			}
		}
		runtime.KeepAlive(keep)
	})
	if wrong.Load() != 0 {
		t.Errorf("%d calls lost their arguments", wrong.Load())
	}
}

// A stack does not shrink during a blocking call, even if nearly all of it is free. Before and after the call it may move.
func TestBlockingOnStacksThatMove(t *testing.T) {
	var wrong atomic.Int64
	call := func() {
		deep(1000) // the stack grows to 2 MiB
		for range 20 {
			if blocking.Large(3) != 300_000 || blocking.Recurses(50) == 0 {
				wrong.Add(1)
			}
			runtime.Gosched()
		}
		var local [100]uint64
		for i := range local {
			local[i] = uint64(i)
		}
		if blocking.WaitFor(local[:], local[50:], "12") != 4950+3725+2 {
			wrong.Add(1)
		}
		deep(10)
	}
	waiting(t, 4, call, func() {
		for range 5 {
			runtime.GC()
		}
	})
	// Small stacks must grow when the blocking call begins.
	for range times(200) {
		fresh(t, func() {
			if blocking.Large(1) != 100_000 {
				wrong.Add(1)
			}
		})
		fresh(t, func() { blocking.Nothing(1) })
	}
	if wrong.Load() != 0 {
		t.Errorf("%d results were wrong", wrong.Load())
	}
}

func TestBlockingPanics(t *testing.T) {
	var wg sync.WaitGroup
	for id := range 8 {
		wg.Go(func() {
			for i := range times(300) {
				rounds := uint64(0)
				if i%50 == 0 {
					rounds = spins // long enough for its P to be taken
				}
				p := panicked(t, "panics", func() { blocking.Panics(rounds, "nine") })
				lost := stopsTheWorld && strings.Contains(p.Message, "the stack moved")
				if !lost && p.Message != fmt.Sprintf("a panic: nine after %d: true", rounds) || !lost && !strings.HasSuffix(p.File, "lib.rs") || len(p.Frames) == 0 {
					t.Errorf("%q in %s, %v", p.Message, p.File, p.Frames)
				}
				// After the call Go code runs as before: the scheduler preempts it, its stack grows, and it can call again.
				deep(id % 20)
				if blocking.Nothing(1) != 2 || blocking.Panics(1, "") != 14 {
					t.Error("calls after a panic are wrong")
				}
			}
		})
	}
	wg.Wait()
	runtime.GC()
	untouched(t, "panics in blocking calls")
}

func TestBlockingFaults(t *testing.T) {
	var wg sync.WaitGroup
	for id := range 8 {
		wg.Go(func() {
			for i := range times(300) {
				rounds := uint64(i%50/49) * spins
				faultRecovered(t, id, func() { blocking.Reads(rounds, 0) })
				if runtime.GOARCH == "amd64" {
					err, _ := caught(func() { blocking.Divides(7, 0) }).(runtime.Error)
					if err == nil || !strings.Contains(err.Error(), "integer divide by zero") {
						t.Errorf("a division by zero: %v", err)
					}
				}
				if blocking.Divides(7, 2) != 3 {
					t.Error("a division is wrong")
				}
			}
		})
	}
	wg.Wait()
	// A read of a page without read permission faults.
	page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(page)
	at := uint(uintptr(unsafe.Pointer(unsafe.SliceData(page))))
	fresh(t, func() {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		for range times(100) {
			fault, _ := caught(func() { blocking.Reads(0, at) }).(interface{ Addr() uintptr })
			if fault == nil || fault.Addr() != uintptr(at) {
				t.Errorf("a fault at %#x: %v", at, fault)
			}
		}
	})
}

// An unrecovered fault in a blocking call ends the process, as in Go, and the message names the Rust function.
func TestBlockingFaultThatIsFatal(t *testing.T) {
	if emulated {
		t.Skip("the emulator is another program")
	}
	if os.Getenv("BLOCKING_FATAL") != "" {
		blocking.Reads(spins, 1<<40)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBlockingFaultThatIsFatal$")
	cmd.Env = append(os.Environ(), "BLOCKING_FATAL=1")
	out, err := cmd.CombinedOutput()
	for _, words := range []string{"unexpected fault address 0x10000000000", "fatal error: fault", "blocking.reads", "TestBlockingFaultThatIsFatal"} {
		if err == nil || !strings.Contains(string(out), words) {
			t.Errorf("the process says no %q: %v\n%s", words, err, out)
		}
	}
}

func TestBlockingBudgets(t *testing.T) {
	for range times(1000) {
		exhausted(t, "recurses", func() { blocking.Recurses(1 << 20) })
		if blocking.Recurses(10) == 0 {
			t.Fatal("a call after an exhausted budget is wrong")
		}
	}
	fresh(t, func() { exhausted(t, "recurses", func() { blocking.Recurses(1 << 20) }) })
}

// After a panic in a blocking call, a deferred function may end the goroutine by runtime.Goexit.
func TestBlockingGoexit(t *testing.T) {
	for _, f := range []func(){
		func() { blocking.Panics(spins, "nine") },
		func() { blocking.Reads(0, 0) },
		func() { blocking.Recurses(1 << 20) },
	} {
		for range times(100) {
			done := make(chan bool)
			go func() {
				defer close(done)
				defer runtime.Goexit()
				f()
				t.Error("there was no panic")
			}()
			<-done
		}
	}
}

//go:noinline
func callsBlocking(end time.Time) {
	for time.Now().Before(end) {
		blocking.Spin(spins / 50)
		caught(func() { blocking.Panics(1000, "nine") })
	}
}

func TestBlockingIsProfiled(t *testing.T) {
	var out bytes.Buffer
	runtime.SetCPUProfileRate(1000)
	if err := pprof.StartCPUProfile(&out); err != nil {
		t.Fatal(err)
	}
	callsBlocking(time.Now().Add(time.Second))
	pprof.StopCPUProfile()
	inRust := 0
	for _, stack := range stacks(t, &out) {
		text := ""
		for _, f := range stack {
			text += f[0] + " "
		}
		if !strings.Contains(text, "blocking.spin") && !strings.Contains(text, "blocking.panics") {
			continue
		}
		inRust++
		if !strings.Contains(text, "callsBlocking") {
			t.Errorf("a sample lacks its caller in Go: %s", text)
		}
	}
	if inRust == 0 && !emulated {
		t.Error("no sample is in Rust")
	}
}

//go:noinline
func waitsBlocking() { blocking.Wait(forever) }

// A traceback of all goroutines shows a blocking call as a system call, with its Go callers.
func TestBlockingIsTraced(t *testing.T) {
	waiting(t, 3, waitsBlocking, func() {
		all := make([]byte, 1<<20)
		all = all[:runtime.Stack(all, true)]
		found := 0
		for text := range strings.SplitSeq(string(all), "\n\n") {
			if strings.Contains(text, "blocking.Wait(") && strings.Contains(text, "waitsBlocking") && strings.Contains(text, "[syscall") {
				found++
			}
		}
		if found != 3 {
			t.Errorf("%d of 3 goroutines are found:\n%s", found, all)
		}
		var profile bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil || !strings.Contains(profile.String(), "waitsBlocking") {
			t.Errorf("the profile of goroutines has no call: %v\n%s", err, &profile)
		}
	})
}

// The execution tracer may follow frame pointers as soon as a blocking call begins.
func TestBlockingUnderTheTracer(t *testing.T) {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err)
	}
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			defer trace.StartRegion(context.Background(), "calls").End()
			for range times(100) {
				blocking.Nothing(1)
				blocking.Spin(spins / 100)
				caught(func() { blocking.Panics(0, "nine") })
				faultRecovered(t, 3, func() { blocking.Reads(0, 0) })
				chainWalked()
			}
		})
	}
	for range 20 {
		runtime.GC()
	}
	wg.Wait()
	trace.Stop()
	if out.Len() == 0 {
		t.Error("the trace is empty")
	}
	if err := trace.Start(io.Discard); err == nil {
		trace.Stop()
	}
}

func TestBlockingOnALockedThread(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			thread := syscall.Gettid()
			for range times(50) {
				blocking.Spin(spins / 10)
				caught(func() { blocking.Panics(spins/10, "nine") })
				faultRecovered(t, 1, func() { blocking.Reads(0, 0) })
				if blocking.Churn(7, 10) != 0 || syscall.Gettid() != thread {
					t.Error("the goroutine has left its thread")
				}
			}
		})
	}
	wg.Wait()
}

// The Rust heap works in calls with and without a P (a processor of Go's scheduler), while the scheduler takes Ps away and the world is stopped.
func TestBlockingHeap(t *testing.T) {
	stop := make(chan bool)
	var collector sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	before := rt.HeapLive()
	boxes := make(chan uint, 100)
	var wg, takers sync.WaitGroup
	for g := range uint64(6) {
		wg.Go(func() {
			for round := range uint64(times(60)) {
				if blocking.Churn(g<<32|round, 3000) != 0 || blocking.OrdinaryChurn(g<<32|round, 3000) != 0 {
					t.Error("allocations were overwritten")
				}
				for range 50 {
					boxes <- blocking.Put(g)
				}
			}
		})
	}
	for range 2 {
		takers.Go(func() {
			for box := range boxes {
				if blocking.Take(box) == ^uint64(0) {
					t.Error("a box was overwritten")
				}
			}
		})
	}
	wg.Wait()
	close(boxes)
	takers.Wait()
	close(stop)
	collector.Wait()
	if left := int64(rt.HeapLive() - before); left > 64<<10 { // thread-local variables stay
		t.Errorf("%d bytes are left behind", left)
	}
}

// If the collector stops the world, a goroutine may wait at the end of a blocking call, and its stack may move under Rust code that panics.
func TestBlockingWhereTheWorldStops(t *testing.T) {
	if emulated {
		t.Skip("the emulator is another program")
	}
	if os.Getenv("GODEBUG") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBlockingWhereTheWorldStops$")
		cmd.Env = append(os.Environ(), "GODEBUG=gcstoptheworld=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	end, moved := time.Now().Add(time.Second), atomic.Int64{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for time.Now().Before(end) {
				fresh(t, func() {
					deep(200)
					p := panicked(t, "panics", func() { blocking.Panics(spins/100, "nine") })
					if strings.Contains(p.Message, "the stack moved") {
						moved.Add(1)
					} else if !strings.HasPrefix(p.Message, "a panic: nine after ") {
						t.Errorf("%q", p.Message)
					}
				})
				fresh(t, func() {
					deep(200)
					data := [64]byte{}
					copy(data[:], "what a result lies in is copied after the stack has moved, maybe")
					if got := blocking.Text(data[:], spins/100); got != string(data[:]) {
						t.Errorf("%q", got)
					}
				})
			}
		})
	}
	for time.Now().Before(end) {
		runtime.GC()
	}
	wg.Wait()
	t.Log(moved.Load(), " stacks moved")
}
