//go:build (linux && (amd64 || arm64)) || (windows && amd64)

package rt_test

import (
	"context"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt/internal/fakerust"
)

// garbage selects the value in the frame pointer's register when Rust faults.
type garbage struct {
	pointer fakerust.Pointer
	number  uintptr
}

var garbages = []garbage{
	{fakerust.Number, 1},
	{fakerust.Number, 4096},
	{fakerust.Number, 0x123456789abcdef0},
	{fakerust.Number, ^uintptr(0)},
	{fakerust.Words, 1},
	{fakerust.Words, 0x123456789abcdef0},
	{fakerust.Cycle, 0},
	{fakerust.Record, 0},
	{fakerust.Top, 1},
	{fakerust.Top, 8},
	{fakerust.Top, 16},
	{fakerust.Kept, 0},
}

// walked makes Go walk the chain of frame pointers, for the block profile, the mutex profile and the execution tracer.
func walked() {
	time.Sleep(time.Microsecond)
	done := make(chan bool)
	var mu sync.Mutex
	mu.Lock()
	go func() {
		mu.Lock()
		defer mu.Unlock()
		close(done)
	}()
	runtime.Gosched()
	mu.Unlock()
	<-done
	trace.Log(context.Background(), "walked", "")
}

// recovered faults in Rust and recovers. It walks the chain of frame pointers in the deferred function, before and after the stack has grown, and
// after the recovery.
func recovered(t *testing.T, g garbage, way fakerust.Way, depth int) {
	func() {
		defer func() {
			walked()
			grow(depth)
			walked()
			err, ok := recover().(runtime.Error)
			if !ok || !strings.Contains(err.Error(), "nil pointer dereference") {
				t.Errorf("%v: got %v", g, err)
			}
		}()
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		fakerust.Fault(g.pointer, g.number, way)
	}()
	walked()
}

// profiled turns on the profiles and the tracer, which walk the chain of frame pointers. stop turns them off.
func profiled(t *testing.T) (stop func()) {
	runtime.SetBlockProfileRate(1)
	before := runtime.SetMutexProfileFraction(1)
	err := trace.Start(io.Discard)
	if err != nil {
		t.Log(err)
	}
	return func() {
		if err == nil {
			trace.Stop()
		}
		runtime.SetMutexProfileFraction(before)
		runtime.SetBlockProfileRate(0)
	}
}

// ways returns the kinds of faults in Rust that Go recovers with SetPanicOnFault. On Windows a call of an address without code ends the process, even
// if Go code makes the call.
func ways() []fakerust.Way {
	if runtime.GOOS == "windows" {
		return []fakerust.Way{fakerust.Reads}
	}
	return []fakerust.Way{fakerust.Reads, fakerust.Calls, fakerust.CallsHigh, fakerust.CallsFar}
}

func TestRecoveredFault(t *testing.T) {
	defer profiled(t)()
	defer collect()()
	for _, g := range garbages {
		for _, way := range ways() {
			for depth := range 10 {
				recovered(t, g, way, 4*depth)
			}
		}
	}
}

func TestRecoveredFaultsOfManyGoroutines(t *testing.T) {
	defer profiled(t)()
	defer collect()()
	var wg sync.WaitGroup
	for id := range scale(1000) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				recovered(t, garbages[(id+i)%len(garbages)], ways()[i%len(ways())], id%32) // on a new goroutine's small stack
			}
		}()
	}
	wg.Wait()
}
