package promises

import (
	"testing"

	"scratch/scenes"
)

// The tool finds the recursion of a method, although its caller receives the method's address as an argument.
func TestRecursionThroughAPointerIsFound(t *testing.T) {
	if got, want := bound(t, "scenes", "Bounded"), 64<<10; got < want {
		t.Errorf("Bounded is granted %d bytes, want %d", got, want)
	}
	for n := range uint64(41) {
		fresh(t, func() { scenes.Bounded(n) })
	}
}
