package promises

import (
	"testing"

	"scratch/trees"
)

// The tool finds a recursive formatter, although it is hidden in arguments that a function passes on.
func TestPrintedTreesHaveWhatRecursionIsGranted(t *testing.T) {
	if got, want := bound(t, "trees", "Printed"), 64<<10; got < want {
		t.Errorf("Printed is granted %d bytes, want %d", got, want)
	}
	out := make([]byte, 1<<10)
	for n := range uint64(64) {
		fresh(t, func() { trees.Printed(n, out) })
	}
}
