package promises

import (
	"testing"

	"scratch/trees"
)

// The tool finds the recursion of a formatter, although the formatter is hidden in format arguments that a function passes on.
func TestFormatterRecursionIsFound(t *testing.T) {
	if got, want := bound(t, "trees", "Printed"), 64<<10; got < want {
		t.Errorf("Printed is granted %d bytes, want %d", got, want)
	}
	out := make([]byte, 1<<10)
	for n := range uint64(64) {
		fresh(t, func() { trees.Printed(n, out) })
	}
}
