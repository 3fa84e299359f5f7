package promises

import (
	"bytes"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"scratch/budgets"
)

// stackBytes returns the number of bytes in all goroutine stacks.
func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Many calls exhaust their budgets. The goroutine's stack must not be larger after the last call than after the first.
func TestExhaustionDoesNotGrowTheStack(t *testing.T) {
	brackets := bytes.Repeat([]byte{'['}, 1<<20)
	for _, c := range []struct {
		call func()
		in   string
	}{
		{func() { budgets.Recurse(1 << 40) }, "level"},
		{func() { budgets.Nested(brackets) }, "parse"},
		{func() { budgets.Larger(1 << 40) }, "level"},
	} {
		fresh(t, func() {
			var first uint64
			for round := range times(10_000) {
				p := panicked(t, c.in, c.call)
				if !strings.HasPrefix(p.Message, "rust stack budget") || !strings.HasSuffix(p.Message, " exhausted in promise_budgets."+c.in) {
					t.Fatalf("round %d: got %v", round, p)
				}
				if round == 0 {
					first = stackBytes()
				}
			}
			// The limit is generous, because other goroutines may start and end meanwhile.
			if now := stackBytes(); now > first+512<<10 {
				t.Errorf("%s: %d bytes of stacks after the first round, %d after the last", c.in, first, now)
			}
		})
	}
	for n := range uint64(100) {
		if got := budgets.Recurse(n); got != n {
			t.Errorf("Recurse(%d) = %d", n, got)
		}
	}
	if got := budgets.Nested([]byte("[[[]]]")); got != 3 {
		t.Errorf("Nested = %d", got)
	}
}

// A call uses no more than its budget, even if the stack has more room.
func TestBudgetHoldsOnALargeStack(t *testing.T) {
	if raced {
		t.Skip("the race detector runs on this stack")
	}
	brackets := bytes.Repeat([]byte{'['}, 1<<20)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, c := range []struct {
		call        func()
		least, most int // in KiB
		panics      bool
	}{
		{func() { budgets.Recurse(1 << 40) }, 24, 32, true},
		{func() { budgets.Larger(1 << 40) }, 48, 60, true},
		{func() { budgets.Nested(brackets) }, 12, 16, true},
		{func() { budgets.Recurse(50) }, 4, 32, false},
		// A call in a deferred function has a limit of its own. So has a call after a recovered panic.
		{func() {
			defer budgets.Larger(10)
			budgets.Recurse(1 << 40)
		}, 24, 32 + 64, true},
		{func() {
			caught(func() { budgets.Larger(1 << 40) })
			budgets.Nested(brackets)
		}, 48, 60, true},
	} {
		var value any
		used := rt.StackUsed(512<<10, func() { value = caught(c.call) })
		// On arm64 the frame of an entry includes the whole budget, and the entry writes to the lowest word of the frame.
		limit := (c.most+4)<<10 + overhead
		if c.panics {
			limit += afterwards
		}
		if used > limit || used < c.least<<10 || (value != nil) != c.panics {
			t.Errorf("%d to %d KiB: %d bytes are used, the panic is %v", c.least, c.most, used, value)
		}
	}
}

// The limit of one call does not apply to the next call.
func TestEachCallHasItsOwnLimit(t *testing.T) {
	fresh(t, func() {
		most := uint64(0)
		for n := uint64(1); caught(func() { budgets.Larger(n) }) == nil; n++ {
			most = n
		}
		for range times(100) {
			if caught(func() { budgets.Recurse(most) }) == nil {
				t.Errorf("the smaller budget is enough for %d levels too", most)
			}
			if got := budgets.Larger(most); got != most {
				t.Errorf("Larger(%d) = %d", most, got)
			}
		}
	})
}

// A panic has its message even if the code that formats the message recurses.
func TestPanicsThatRecurseHaveTheirMessage(t *testing.T) {
	for range times(1000) {
		p := panicked(t, "Slice", func() { budgets.Slice("aé", 2) })
		if !strings.Contains(p.Message, "is not a char boundary") {
			t.Fatalf("got %v", p)
		}
	}
}
