package promises

import (
	"fmt"
	"strings"
	"testing"

	"scratch/printed"
)

// The code that formats messages may need more stack than the formatter has, so every message is lost. No memory outside that stack is overwritten.
func TestPrintedInAndOutOfPanics(t *testing.T) {
	for range times(20) {
		for n, want := range map[uint8]uint64{16: ('<' + '>') << 1, 17: '<'<<1 | 1} {
			if got := printed.Written(n); got != want {
				t.Fatalf("%d: got %d, want %d", n, got, want)
			}
		}
		for _, large := range []bool{false, true} {
			p := panicked(t, fmt.Sprint(large), func() { printed.Fail(7, large) })
			if !strings.Contains(p.Message, "the message is lost") {
				t.Fatalf("large %v: got %v", large, p)
			}
		}
		untouched(t, "printed")
	}
}
