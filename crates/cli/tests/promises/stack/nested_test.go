package promises

import (
	"testing"

	"scratch/nested"
)

// The tool finds recursion in every form and grants stack for it. TestNative compares the results; this test checks only the depth.
func TestNestedRecursionIsFound(t *testing.T) {
	for name, call := range map[string]func(uint64) uint64{"Logged": nested.Logged, "Debugged": nested.Debugged, "Layered": nested.Layered, "Checked": nested.Checked} {
		if got, want := bound(t, "nested", name), 64<<10; got < want {
			t.Errorf("%s is granted %d bytes, want %d", name, got, want)
		}
		for _, n := range []uint64{18, 19, 39} {
			fresh(t, func() { call(n) })
		}
	}
}
