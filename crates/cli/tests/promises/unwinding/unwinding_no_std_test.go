package promises

import (
	"testing"

	nostd "scratch/unwinding_no_std"
)

// A panic in a crate without std runs the destructors too.
func TestUnwindingWithoutStd(t *testing.T) {
	for n := range uint64(times(100)) {
		before := nostd.Dropped()
		if n%3 == 0 {
			nostd.Drops(n, false)
		} else {
			panicked(t, "Drops", func() { nostd.Drops(n, true) })
		}
		if got, want := nostd.Dropped()-before, n*(n+1)/2; got != want {
			t.Errorf("%d: destructors have run for %d, want %d", n, got, want)
		}
	}
}

// A panic in a crate without std frees all memory that the unwound frames owned.
func TestUnwindingWithoutStdLeavesNothing(t *testing.T) { leavesNothing(t, "unwinding_no_std") }

func TestUnwindingWithoutStdOnManyGoroutines(t *testing.T) { onManyGoroutines(t, "unwinding_no_std") }
