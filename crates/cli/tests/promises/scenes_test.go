package promises

import (
	"testing"

	"scratch/scenes"
)

// A recursive method is found, although its caller gets its address as an argument.
func TestScenesHaveWhatRecursionIsGranted(t *testing.T) {
	if got, want := bound(t, "scenes", "Bounded"), 64<<10; got < want {
		t.Errorf("Bounded is granted %d bytes, want %d", got, want)
	}
	for n := range uint64(41) {
		fresh(t, func() { scenes.Bounded(n) })
	}
}
