//go:build amd64 || arm64

package rt_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
	"rustgo.dev/go/rt/internal/fakerust"
)

// callFields holds the offsets of g.syscallsp and g.throwsplit for each version of Go, read from src/runtime/runtime2.go.
var callFields = map[string][2]uintptr{"go1.24": {112, 191}, "go1.25": {104, 183}, "go1.26": {104, 183}, "go1.27": {104, 183}}

// findCall must find the fields at the offsets that the runtime's source gives.
func TestCallFieldsMatchTheRuntime(t *testing.T) {
	sp, throw := rt.CallFields()
	if runtime.GOOS != "linux" || allOrdinary {
		if sp != 0 || throw != 0 {
			t.Errorf("fields are found at %d and %d where nobody has tried them", sp, throw)
		}
		return
	}
	if sp == 0 {
		t.Fatal("the fields are not found: blocking calls are ordinary ones")
	}
	for version, fields := range callFields {
		if strings.HasPrefix(runtime.Version(), version) && fields != [2]uintptr{sp, throw} {
			t.Errorf("fields are found at %d and %d instead of %v", sp, throw, fields)
		}
	}
	whileCollecting(func() {
		if a, b := rt.FindCallFields(); a != sp || b != throw {
			t.Errorf("fields are found at %d and %d, before at %d and %d", a, b, sp, throw)
		}
	})
}

// whileCollecting calls check on eight goroutines for half a second, while the collector requests that goroutines yield, and while stacks move.
func whileCollecting(check func()) {
	end := time.Now().Add(time.Second / 2)
	stop := make(chan bool)
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for time.Now().Before(end) {
				for range 1000 {
					check()
				}
			}
		}()
	}
	wg.Wait()
}

// The scheduler may take the P from the goroutine in the middle of the search for m.p.
func TestFindPDuringPreemption(t *testing.T) {
	want := rt.FindP()
	whileCollecting(func() {
		if got := rt.FindP(); got != want {
			t.Errorf("m.p is found at %d, before at %d", got, want)
		}
	})
}

// During a blocking call, the function processor returns -1 whatever m.p is, because another thread may take the P.
func TestBlockingCallHasNoProcessor(t *testing.T) {
	rt.StartHeap()
	sp, _ := rt.CallFields()
	for range 100 {
		if got := fakerust.ProcessorInCall(); (got == -1) != (sp != 0) {
			t.Fatalf("the processor of a call is %d", got)
		}
		if outside, _ := fakerust.Convention(fakerust.Processor, 0, 0, 0); int(outside) == -1 {
			t.Fatal("there is no processor outside of a call")
		}
	}
}
