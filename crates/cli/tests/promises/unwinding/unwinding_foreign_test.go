package promises

import (
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	foreign "scratch/unwinding_foreign"
)

// A panic passes through a frame of assembly that has no unwind tables, if the call is "C-unwind". The registers that the assembly has saved are
// restored.
func TestUnwindingForeignFrames(t *testing.T) {
	digest := func(x, sum uint64) uint64 {
		for value := range uint64(6) {
			sum = sum*3 + (11+value)*x
		}
		numbers := uint64(0)
		for number := range uint64(8) {
			numbers = numbers*2 + (1+number)*x
		}
		return sum + numbers
	}
	for range 100 {
		if got, want := foreign.Caught(5), digest(5, 6); got != want {
			t.Errorf("without a panic: got %d, want %d", got, want)
		}
		if got, want := foreign.Caught(7), digest(7, 1000); got != want {
			t.Errorf("after a panic: got %d, want %d", got, want)
		}
		before := foreign.Dropped()
		p := panicked(t, "through", func() { foreign.Through(7) })
		if p.Message != "called back with 7" {
			t.Error(p)
		}
		if got := foreign.Dropped() - before; got != 2 {
			t.Errorf("%d destructors ran, not 2", got)
		}
	}
}

// A panic in a call that cannot unwind is a Go panic. The compiler's table may not distinguish such a call from one that can unwind. Then the panic
// leaves the function that made the call.
func TestUnwindingForeignStuck(t *testing.T) {
	for range 100 {
		if got := foreign.Stuck(5); got != 7 {
			t.Errorf("without a panic: got %d", got)
		}
		p := panicked(t, "stuck", func() { foreign.Stuck(7) })
		if p.Message != "called back with 7" {
			t.Error(p)
		}
		if p.File == "" || !hasFrame(p, "calls_back") {
			t.Errorf("the frames are %v", p.Frames)
		}
	}
}

func hasFrame(p *rt.Panic, name string) bool {
	for _, frame := range p.Frames {
		if strings.Contains(frame.Function, name) {
			return true
		}
	}
	return false
}
