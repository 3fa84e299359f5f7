package promises

import (
	"sync"
	"testing"

	"scratch/statics"
)

func TestStaticsAreAligned(t *testing.T) {
	if low := statics.Misaligned(); low != 0 {
		t.Errorf("an address has %d left", low)
	}
}

func TestStaticsCountFromAllThreads(t *testing.T) {
	const goroutines, calls = 8, 200
	lines, wide, steps, page, huge := statics.Counted()
	var group sync.WaitGroup
	for k := range uint64(goroutines) {
		group.Add(1)
		go func() {
			defer group.Done()
			for x := range uint64(calls) {
				statics.Count(k*calls + x)
			}
		}()
	}
	group.Wait()
	const n = goroutines * calls
	want := [...]uint64{lines + n, wide + n*(n-1)/2, steps + 9*n, page + n, huge + 2*n}
	lines, wide, steps, page, huge = statics.Counted()
	if got := [...]uint64{lines, wide, steps, page, huge}; got != want {
		t.Errorf("counted %d, not %d", got, want)
	}
}
