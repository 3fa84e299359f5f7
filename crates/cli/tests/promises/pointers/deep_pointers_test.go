package promises

import (
	"testing"

	"scratch/deep_pointers"
)

// The code that formats panic messages needs no stack for a function with a large frame that it never calls.
func TestDeepPointersAndMessages(t *testing.T) {
	for range times(20) {
		for n, want := range map[uint64]uint64{16: 16, 0x1ff: 255} {
			if got := deep_pointers.Either(n, false); got != want {
				t.Fatalf("%d: got %d, want %d", n, got, want)
			}
			if got := deep_pointers.Either(n, true); got != n+1 {
				t.Fatalf("%d: got %d", n, got)
			}
		}
		if p := panicked(t, "deep pointers", func() { deep_pointers.Fail(7) }); p.Message != "7 Some(7)" {
			t.Fatalf("got %v", p)
		}
		untouched(t, "deep pointers")
	}
}
