//go:build amd64 || arm64

package rt_test

import (
	"slices"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
)

// The number of a Go function's panic is read while the panic's message still has its slot. An allocation could make the goroutine wait.
func TestTheNumberOfAPanicIsReadWithoutAllocation(t *testing.T) {
	for message, want := range map[string]uintptr{
		"a Go function that Rust has called panicked (70000)": 70000,
		"a Go function that Rust has called panicked (7)":     7,
		"a Go function that Rust has called panicked (8)":     0, // the panic of another call
		"a Go function that Rust has called panicked (7x)":    0,
		"a Go function that Rust has called":                  0,
		"another message":                                     0,
	} {
		passes := rt.Passes(message, 7, 70000)
		if got := passes(); got != want {
			t.Errorf("%q: %d", message, got)
		}
		if n := testing.AllocsPerRun(100, func() { passes() }); n != 0 {
			t.Errorf("%q: %v allocations", message, n)
		}
	}
}

// Only areas that Rust writes to are compared with all others.
func TestOverlap(t *testing.T) {
	written, texts := make([]byte, 8), slices.Repeat([]string{strings.Repeat("x", 3)}, 500_000)
	areas := rt.WithTexts(rt.WithSlice(nil, written, true), texts)
	if rt.Overlap(areas) {
		t.Error("texts that nobody writes to overlap")
	}
	if !rt.Overlap(rt.WithSlice(areas, written[7:], false)) || !rt.Overlap(rt.WithSlice(rt.WithSlice(nil, written[7:], false), written, true)) {
		t.Error("no overlap with a written slice")
	}
	if rt.Overlap(rt.WithSlice(rt.WithSlice(nil, written[:4], true), written[4:], true)) {
		t.Error("neighbours overlap")
	}
}
