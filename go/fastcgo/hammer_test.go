//go:build (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"bytes"
	"flag"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"rustgo.dev/go/fastcgo/internal/ctest"
)

var hammerTime = flag.Duration("hammer", 0, "how long TestHammer runs; 2 s if 0, 0.5 s with -short")

// grow uses some n KiB of stack, so that it grows or is moved.
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

// Calls from many goroutines while everything happens that may interrupt them: stacks that grow before and after, garbage
// collection in a loop, the profiler's signal at 2000 Hz, preemption, the execution tracer.
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
	if err := pprof.StartCPUProfile(&profile); err != nil { // says on stderr that the rate is set already, and keeps it
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()

	weigh := Bind[func(*uint64, uint64, uint64, uint64, uint64, uint64) uint64](ctest.Weigh)
	small := Bind[func(uint8) uint8](ctest.Increment)
	float := Bind[func(uint64, float64) uint64](ctest.Increment)
	clobber := Bind[func()](ctest.Clobber)
	needy := Bind[func(uint64) uint64](ctest.Increment, NeedStack(2048))
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())

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
			go func() { // on a new, small stack
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
						needy(uint64(k)) == uint64(k)+1
					UnsafeCall0(ctest.Clobber)
					clobber()
				}
				good = good && UnsafeCall1Return1(ctest.Spin, uintptr(i%5000)) == uintptr(i%5000) && waits(100) == 100
				ok <- good && grow(i%60) == i%60+1
			}()
			calls.Add(50*7 + 2)
			return <-ok
		})
	}
	time.Sleep(duration)
	close(stop)
	wg.Wait()
	t.Logf("%d calls", calls.Load())
}

// Signals that come in the midst of C, where all registers that C may use hold rubbish: the collector wants every goroutine to stop,
// and asks those that run by a signal.
func TestSignalsDuringC(t *testing.T) {
	const long = 20_000_000 // steps: some ten milliseconds
	bound := Bind[func(uint64) uint64](ctest.Spin)
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 5 {
			if UnsafeCall1Return1(ctest.Spin, long) != long || bound(long) != long || waits(long) != long {
				t.Error("a wrong result")
			}
		}
	}()
	for collections := 0; ; collections++ {
		select {
		case <-done:
			if collections == 0 {
				t.Error("no collection")
			}
			return
		default:
			runtime.GC()
		}
	}
}

// A blocking call leaves its processor to others; an ordinary one does not.
func TestBlockingReleasesTheProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	waits := Bind[func(uint64) uint64](ctest.Spin, Blocking())
	const long = 300_000_000 // steps: some tenth of a second
	progress := func(call func()) uint64 {
		var n atomic.Uint64
		stop := make(chan bool)
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
					n.Add(1)
					runtime.Gosched()
				}
			}
		}()
		time.Sleep(time.Millisecond)
		before := n.Load()
		call()
		after := n.Load()
		close(stop)
		return after - before
	}
	// A goroutine that gives way each time takes some steps before and after a call, and millions during one.
	const few = 20
	if n := progress(func() { waits(long) }); n <= few {
		t.Errorf("%d steps during a blocking call", n)
	}
	if n := progress(func() { UnsafeBlockingCall(ctest.Spin, long) }); n <= few {
		t.Errorf("%d steps during UnsafeBlockingCall", n)
	}
	if how != wayCgo {
		if n := progress(func() { UnsafeCall1(ctest.Spin, long) }); n > few {
			t.Errorf("%d steps during a call that does not tell the scheduler", n)
		}
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
	stop := Watch(10*time.Millisecond, report)
	spin := Bind[func(uint64) uint64](ctest.Spin)
	UnsafeCall1(ctest.Spin, 1000)
	spin(1000)
	UnsafeCall1(ctest.Spin, 200_000_000)
	if got := spin(200_000_000); got != 200_000_000 {
		t.Errorf("the result is %d", got)
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
	UnsafeCall1(ctest.Spin, 200_000_000) // nobody looks
	lock.Lock()
	defer lock.Unlock()
	if len(done) != 2 {
		t.Fatalf("%d calls are reported, want 2: %v", len(done), done)
	}
	for _, o := range done {
		frames := runtime.CallersFrames(o.Callers)
		named := false
		for {
			f, more := frames.Next()
			named = named || f.Function == "rustgo.dev/go/fastcgo.TestWatch"
			if !more {
				break
			}
		}
		if o.Func != uintptr(ctest.Spin) || o.Elapsed < 10*time.Millisecond || !named {
			t.Errorf("reported: %+v, the caller is named: %v", o, named)
		}
	}
	if len(running) > 2 {
		t.Errorf("%d reports of calls that run", len(running))
	}
	for i := range slots {
		if slots[i].start != 0 {
			t.Errorf("slot %d is still taken", i)
		}
	}
}
