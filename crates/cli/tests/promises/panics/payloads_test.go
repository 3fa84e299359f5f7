package promises

import (
	"fmt"
	"strings"
	"testing"

	"scratch/payloads"
)

// The message of a panic is the text that std prints for its payload, and the location is the location of that panic.
func TestPayloads(t *testing.T) {
	for round := range 100 {
		for _, c := range []struct {
			kind, n uint64
			want    string
			line    int
		}{
			{0, 7, "seven", 10},
			{0, 8, "not seven", 10},
			{1, 12, "12 of somesomesome", 11},
			{2, 5, "Box<dyn Any>", 12},
			{3, 5, "Box<dyn Any>", 13},
		} {
			what := fmt.Sprintf("round %d: kind %d, %d", round, c.kind, c.n)
			p := panicked(t, what, func() { payloads.Fail(c.kind, c.n) })
			if p.Message != c.want || !strings.HasSuffix(p.File, "src/lib.rs") || p.Line != c.line {
				t.Fatalf("%s: got %+v, want %q in line %d", what, p, c.want, c.line)
			}
		}
		if got := payloads.Fail(4, 3); got != 3 {
			t.Fatalf("round %d: got %d", round, got)
		}
	}
}
