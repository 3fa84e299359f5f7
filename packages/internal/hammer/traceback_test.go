package hammer_test

import (
	"os"
	"strings"
	"testing"

	"rustgo.dev/packages/callcost"
)

//go:noinline
func divides(a, b uint64) uint64 {
	q, _ := callcost.Divmod(a, b)
	return q
}

// TestTracebackOfAPanic has Rust panic with nobody to recover.
func TestTracebackOfAPanic(t *testing.T) {
	if os.Getenv("HAMMER_CHILD") != "" {
		t.Log(divides(1, 0))
		return
	}
	out := child(t, "HAMMER_CHILD=1")
	if missing := inOrder(out,
		"panic: attempt to divide by zero (rust/src/lib.rs:",
		"rustgo.dev/packages/callcost.Divmod",
		"hammer_test.divides",
		"hammer_test.TestTracebackOfAPanic",
		"testing.tRunner",
	); missing != "" {
		t.Errorf("no %q in its place in:\n%s", missing, out)
	}
	if strings.Contains(out, "unexpected") {
		t.Errorf("the runtime complains:\n%s", out)
	}
}
