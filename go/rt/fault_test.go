//go:build linux && (amd64 || arm64)

package rt_test

import (
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"syscall"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/go/rt/internal/fakerust"
)

const faultedMessage = "panicked (the message is lost: formatting it faulted)"

// faults returns the kinds of faults that a formatter can have. On arm64 a division by zero does not fault.
func faults() []fakerust.Kind {
	kinds := []fakerust.Kind{fakerust.FaultsNil, fakerust.FaultsHigh}
	if runtime.GOARCH == "amd64" {
		kinds = append(kinds, fakerust.Divides)
	}
	return kinds
}

func checkFaults(t *testing.T) {
	t.Helper()
	for _, kind := range faults() {
		for depth := range 3 {
			p := caught("never seen", depth, kind)
			if p.Message != faultedMessage || p.File != "src/lib.rs" || p.Line != 12 || len(p.Frames) != 3+depth {
				t.Errorf("kind %d: got %+v", kind, p)
			}
			if p := caught("seen", depth, fakerust.Plain); p.Message != "seen" {
				t.Errorf("kind %d: the next panic says %q", kind, p.Message)
			}
		}
	}
	if n := rt.SlotsTaken(); n != 0 {
		t.Errorf("%d slots are still taken", n)
	}
}

var nowhere *int

// checkGo checks that a read of address 0 in Go code panics, as it does in programs without package rt.
func checkGo(t *testing.T) {
	t.Helper()
	defer func() {
		if err, ok := recover().(runtime.Error); !ok || !strings.Contains(err.Error(), "nil pointer dereference") {
			t.Errorf("a fault in Go: got %v", err)
		}
	}()
	*nowhere++
}

func TestFormatterThatFaults(t *testing.T) {
	checkGo(t)
	checkFaults(t)
	checkGo(t)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	checkFaults(t)
	checkGo(t)
}

func TestFormatterThatFaultsAndNotify(t *testing.T) {
	c := make(chan os.Signal, 1)
	signals := []os.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE}
	signal.Notify(c, signals...)
	checkFaults(t)
	checkGo(t)
	signal.Reset(signals...)
	checkFaults(t)
	checkGo(t)
}

// TestRestoredGoHandler restores Go's signal handler. C code may do so too, if it saved Go's handler before rt installed its own handler.
func TestRestoredGoHandler(t *testing.T) {
	const segv, urg, changed = 11, 23, 3
	first := os.Getenv("RT_TEST_CHILD") == "handler"
	if !first {
		out := succeed(t, "TestRestoredGoHandler", "handler")
		if !strings.Contains(out, "PASS") {
			t.Errorf("got:\n%s", out)
		}
		return
	}
	before := rt.Handler(urg) // Go's handler, which is the same for all signals
	ours := rt.Handler(segv)
	if ours == before {
		t.Fatal("no handler was put before Go's")
	}
	for range changed {
		rt.SetHandler(segv, before)
		checkFaults(t)
		checkGo(t)
		if rt.Handler(segv) != ours {
			t.Error("the handler was not put before Go's again")
		}
	}
}

// TestFormattersThatFaultUnderPressure runs many goroutines. In some goroutines the formatter faults, in some the formatter succeeds, and some
// goroutines fault in Go code. The collector, the tracer and the profiler run at the same time.
func TestFormattersThatFaultUnderPressure(t *testing.T) {
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer collect()()
	kinds := append(faults(), fakerust.Plain)
	var wg sync.WaitGroup
	for id := range 200 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range max(scale(50), 5) {
				kind := kinds[(id+i)%len(kinds)]
				want := faultedMessage
				if kind == fakerust.Plain {
					want = "plain"
				}
				room <- true
				if p := caught("plain", i%50, kind); p.Message != want {
					t.Errorf("got %q, want %q", p.Message, want)
				}
				<-room
				if i%8 == 0 {
					checkGo(t)
				}
			}
		}()
	}
	wg.Wait()
}
