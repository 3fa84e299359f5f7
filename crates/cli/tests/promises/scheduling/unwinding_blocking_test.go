package promises

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
	blocking "scratch/unwinding_blocking"
)

// Blocking calls on many goroutines panic and catch while the collector runs. All destructors run, and nothing is left in the heap.
func TestUnwindingBlockingCalls(t *testing.T) {
	call := func(n uint64) {
		defer func() {
			value := recover()
			if n%3 != 0 {
				if value != nil {
					t.Errorf("%d: %v", n, value)
				}
				return
			}
			if p, ok := value.(*rt.Panic); !ok || p.Message != fmt.Sprint(n, " numbers") || p.Line == 0 || len(p.Frames) < 4 {
				t.Errorf("%d: %v", n, value)
			}
		}()
		if got := blocking.Sum(n); got != n*(n-1)/2+1 {
			t.Errorf("%d: got %d", n, got)
		}
	}
	before, calls := blocking.Dropped(), uint64(0)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
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
	for range 20 {
		wg.Go(func() {
			for n := uint64(1); n <= 90; n++ {
				call(n)
			}
		})
		calls += 90
	}
	wg.Wait()
	close(stop)
	<-stopped
	// Each call drops 4 values when it catches, and 3 more when it panics.
	if got, want := blocking.Dropped()-before, calls*4+calls/3*3; got != want {
		t.Errorf("%d destructors ran, not %d", got, want)
	}
}
