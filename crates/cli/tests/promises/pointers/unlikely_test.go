package promises

import (
	"testing"

	"scratch/unlikely"
)

// The stack suffices for one call of an unlikely target. Further nested calls panic, and write nothing outside the stack.
func TestUnlikelyCallsAreChecked(t *testing.T) {
	for _, plain := range []bool{false, true} {
		want := map[bool]uint64{false: 9 << 7, true: 10}[plain]
		if got := unlikely.Known(9, plain); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	if most := 8 << 10; bound(t, "unlikely", "Hidden") > most {
		t.Errorf("the recursion is seen: this tests nothing")
	}
	for range times(50) {
		fresh(t, func() {
			if got := unlikely.Hidden(0); got != 1 {
				t.Errorf("got %d, want 1", got)
			}
		})
		for _, n := range []uint64{10, 100, 100_000} {
			fresh(t, func() { exhausted(t, "unlikely calls", func() { unlikely.Hidden(n) }) })
			grown(t, func() { exhausted(t, "unlikely calls", func() { unlikely.Hidden(n) }) })
			untouched(t, "unlikely calls")
		}
	}
}
