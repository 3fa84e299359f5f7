//go:build cgo && (linux || darwin || windows) && (amd64 || arm64)

package fastcgo

import (
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rustgo.dev/fastcgo/internal/ccall"
	"rustgo.dev/fastcgo/internal/ctest"
)

func TestDeepStack(t *testing.T) {
	if how == wayCgo {
		t.Skip("cgo's way does not look at the stack")
	}
	runtime.LockOSThread() // the test measures one thread, and threads have stacks of different sizes
	defer runtime.UnlockOSThread()
	need := SystemStack() / 2
	if need < 32<<10 {
		t.Fatalf("%d bytes of system stack with cgo", 2*need)
	}
	got, ok := UnsafeCallNeedStack(ccall.Deep, need, need-4096)
	if want := deep(need - 4096); !ok || got != want {
		t.Errorf("deep = %d, %v, want %d", got, ok, want)
	}
}

func deep(n uintptr) (sum uintptr) {
	for i := uintptr(0); i < n; i += 64 {
		sum += uintptr(uint8(i))
	}
	return sum
}

func TestCallbackIsRefused(t *testing.T) {
	switch os.Getenv("FASTCGO_CHILD") {
	case "callback":
		defer func() { _ = recover() }()
		UnsafeCall1Return1(ccall.Callback, 1)
		return
	case "callback bound":
		defer func() { _ = recover() }()
		Bind[func(int32) int32](ccall.Callback)(1)
		return
	case "callback blocking":
		defer func() { _ = recover() }()
		Bind[func(int32) int32](ccall.Callback, Blocking())(1)
		return
	case "callback unsafe blocking":
		defer func() { _ = recover() }()
		UnsafeBlockingCall(ccall.Callback, 1)
		return
	}
	if how != wayDirect {
		t.Skip("cgo's way can call back")
	}
	for _, child := range []string{"callback", "callback bound"} {
		out := crash(t, "TestCallbackIsRefused", child)
		for _, want := range []string{"fatal error: exitsyscall: syscall frame is no longer valid", "fastcgo.CFunction(", "fastcgo.TestCallbackIsRefused("} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", child, want, out)
			}
		}
	}
	for _, child := range []string{"callback blocking", "callback unsafe blocking"} {
		out := crash(t, "TestCallbackIsRefused", child)
		for _, want := range []string{"fatal error: fastcgo: the C function called Go", "fastcgo.TestCallbackIsRefused("} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", child, want, out)
			}
		}
	}
}

// A thread made by C may call Go, even while a blocking call waits for the thread.
func TestThreadOfCCallsGo(t *testing.T) {
	if got := Bind[func(int32) int32](ccall.OnThread, Blocking())(41); got != 42 {
		t.Errorf("got %d", got)
	}
	if got := UnsafeBlockingCall(ccall.OnThread, 41); got != 42 {
		t.Errorf("got %d", got)
	}
}

// Go calls C through cgo, this C code calls Go, and Go calls C by fastcgo. The system stack is then in use, and its upper part must not change.
func TestCallsInACallback(t *testing.T) {
	bound := Bind[func(uint64) uint64](ctest.Increment)
	waits := Bind[func(uint64) uint64](ctest.Increment, Blocking())
	for _, elsewhere := range []bool{false, true} {
		for range 100 {
			sum := uint64(0)
			ccall.RunFromC(func() {
				sum = uint64(UnsafeCall1Return1(ctest.Increment, 1)) + bound(10)
				if how == wayDirect {
					const need = 4096
					got, ok := UnsafeCallNeedStack(ccall.Deep, need, need/2)
					if want := deep(need / 2); !ok || got != want {
						t.Errorf("deep = %d, %v, want %d", got, ok, want)
					}
				}
				ccall.RunFromC(func() { sum += bound(100) }, false)
				if grow(50) != 51 {
					t.Error("grow is wrong")
				}
				sum += waits(1000)
			}, elsewhere)
			if sum != 2+11+101+1001 {
				t.Fatalf("the sum is %d", sum)
			}
		}
	}
}

// The fault's PC is outside all Go functions, because the faulting function is compiled C code.
func TestFaultInCompiledCIsFatal(t *testing.T) {
	if os.Getenv("FASTCGO_CHILD") == "fault in C" {
		defer func() { _ = recover() }()
		faultInCompiledC()
		return
	}
	if how != wayDirect {
		t.Skip("cgo's way reports faults in another form")
	}
	out := crash(t, "TestFaultInCompiledCIsFatal", "fault in C")
	for _, want := range []string{"SIGSEGV", "fastcgo.CFunction(", "fastcgo.faultInCompiledC("} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if strings.Contains(out, "unexpected return pc") || strings.Contains(out, "PASS") {
		t.Errorf("got:\n%s", out)
	}
}

//go:noinline
func faultInCompiledC() { UnsafeCall0(ccall.Fault) }

// In cgo's way C may call Go. The goroutine's stack moves during the call, so C must not get an address in this stack.
func TestCallbacksThroughCgo(t *testing.T) {
	if how != wayCgo {
		if how != wayDirect || os.Getenv("FASTCGO") != "" {
			t.Skip("no call can be made in cgo's way")
		}
		if out, err := again(t, "TestCallbacksThroughCgo", "FASTCGO=cgo"); err != nil || strings.Contains(out, "SKIP") {
			t.Errorf("%v:\n%s", err, out)
		}
		return
	}
	bound := Bind[func(int32) int32](ccall.Callback)
	testCallbacks(t, map[string]func(int32) int32{
		"Bind": bound,
		"UnsafeCallNeedStack": func(x int32) int32 {
			y, _ := UnsafeCallNeedStack(ccall.Callback, 0, uintptr(x))
			return int32(y)
		},
	})
}

// If Go code that C calls panics, the slot of the watched call must become free, because there are only a few slots for running calls.
func TestWatchedPanicsThroughCgo(t *testing.T) {
	if how != wayCgo {
		if how != wayDirect || os.Getenv("FASTCGO") != "" {
			t.Skip("no call can be made in cgo's way")
		}
		if out, err := again(t, "TestWatchedPanicsThroughCgo", "FASTCGO=cgo"); err != nil || strings.Contains(out, "SKIP") {
			t.Errorf("%v:\n%s", err, out)
		}
		return
	}
	defer func(old func(int32) int32) { ccall.OnCall = old }(ccall.OnCall)
	ccall.OnCall = func(x int32) int32 { panic(x) }
	var returned, running atomic.Int64
	stop := Watch(time.Millisecond, func(o Overstay) {
		if o.Running {
			running.Add(1)
		} else {
			returned.Add(1)
		}
	})
	defer stop()
	call := Bind[func(int32) int32](ccall.Callback)
	for i := range int32(len(slots) + 1) {
		func() {
			defer func() {
				if p := recover(); p != i {
					t.Errorf("panic %v, want %d", p, i)
				}
			}()
			call(i)
		}()
	}
	for i := range slots {
		if atomic.LoadInt64(&slots[i].start) != 0 {
			t.Fatalf("slot %d is still taken", i)
		}
	}
	// A call that panics after the limit is reported when it ends.
	ccall.OnCall = func(x int32) int32 { time.Sleep(20 * time.Millisecond); panic(x) }
	before := returned.Load()
	func() {
		defer func() { _ = recover() }()
		call(1)
	}()
	if n := returned.Load() - before; n != 1 {
		t.Errorf("%d reports of a call that has panicked", n)
	}
	before = running.Load()
	time.Sleep(20 * time.Millisecond)
	if n := running.Load() - before; n != 0 {
		t.Errorf("%d calls that have ended are reported as running", n)
	}
}

// testCallbacks makes calls of ccall.Callback on new goroutines. The Go function that C calls lets the stack grow, and the collector run.
func testCallbacks(t *testing.T, calls map[string]func(int32) int32) {
	defer func(old func(int32) int32) { ccall.OnCall = old }(ccall.OnCall)
	ccall.OnCall = func(x int32) int32 {
		if grow(100) != 101 {
			return -1
		}
		runtime.GC()
		runtime.Gosched()
		return x + 1
	}
	for name, call := range calls {
		for i := range int32(20) {
			got := make(chan int32)
			go func() { got <- call(i) }()
			if got := <-got; got != i+1 {
				t.Errorf("%s: got %d, want %d", name, got, i+1)
			}
		}
	}
}

func TestCallsGo(t *testing.T) {
	testCallbacks(t, map[string]func(int32) int32{
		"CallsGo":            Bind[func(int32) int32](ccall.Callback, CallsGo()),
		"CallsGo, Blocking":  Bind[func(int32) int32](ccall.Callback, CallsGo(), Blocking()),
		"CallsGo, NeedStack": Bind[func(int32) int32](ccall.Callback, CallsGo(), NeedStack(1<<40)),
	})
	// Strings and the places of arguments are as in calls without CallsGo.
	join := Bind[func(a string, b int8, c string, d float64, e, f, g, h string, i uint16, j, k, l string, m float32) string](ccall.Join, CallsGo())
	if got := join("a", -2, "", 2.5, "e e", "f", "", "häh", 60000, "j", "", "l", 1.5); got != "a -2  2.5 e e f  häh 60000 j  l 1.5" {
		t.Errorf("got %q", got)
	}
}

// A panic in Go code that C calls unwinds the C function. Later calls must have as much system stack as before.
func TestPanicInCallback(t *testing.T) {
	defer func(old func(int32) int32) { ccall.OnCall = old }(ccall.OnCall)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ccall.OnCall = func(x int32) int32 { panic(x) }
	call := Bind[func(int32) int32](ccall.Callback, CallsGo())
	before := SystemStack()
	for i := range int32(100) {
		func() {
			defer func() {
				if p := recover(); p != i {
					t.Errorf("panic %v, want %d", p, i)
				}
			}()
			call(i)
		}()
	}
	if after := SystemStack(); after != before {
		t.Errorf("%d bytes of system stack before the panics, %d after them", before, after)
	}
	if got := Bind[func(uint64) uint64](ctest.Increment)(41); got != 42 {
		t.Errorf("got %d", got)
	}
}

func BenchmarkBoundCallsGo(b *testing.B) {
	f := Bind[func(uint64) uint64](ctest.Increment, CallsGo())
	for i := range b.N {
		f(uint64(i))
	}
}
