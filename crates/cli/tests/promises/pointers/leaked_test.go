package promises

import (
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"scratch/leaked"
)

// leaks has a function for each way in which Leak stores hooks. If the stack suffices, a call of the hook has the result want, or panics if panics
// is true.
var leaks = []func(which, x uint64) (want uint64, panics bool){
	func(which, x uint64) (uint64, bool) { return 1 + x*(20_000+8*which), false },
	func(which, x uint64) (uint64, bool) { return 1 + x*(20_016+8*which), false },
	func(which, x uint64) (uint64, bool) { return 1 + x*(20_048+8*which), false },
	func(which, x uint64) (uint64, bool) { return 1 + x*(20_032+8*which), false },
	func(which, x uint64) (uint64, bool) { return 1 + x*24, which == 1 },
	func(which, x uint64) (uint64, bool) { return x + 5*(1-which), false },
}

// fits is the index in leaks of the way whose hooks need less stack than any call provides.
const fits = 4

// A later call uses a function pointer that panicking code left in memory. The call stays within its stack bound, or it panics.
func TestPointersThatPanicsLeave(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for name, call := range map[string]func(x, which uint64) uint64{"Call": leaked.Call, "CallDeep": leaked.CallDeep} {
		least := bound(t, "leaked", name)
		if least > 8<<10 {
			t.Fatalf("%s has a bound of %d bytes: it counts all functions, and this shows nothing", name, least)
		}
		for way, result := range leaks {
			for which := range uint64(2) {
				leaked.Reset()
				if got := call(41, which); got != 42 {
					t.Fatalf("%s of the first hook gives %d", name, got)
				}
				if p := panicked(t, "Leak", func() { leaked.Leak(uint64(way)) }); !strings.HasPrefix(p.Message, "leaked") {
					t.Fatalf("way %d: got %v", way, p)
				}
				for _, x := range []uint64{0, 1, 2, 1000} {
					var got uint64
					var value any
					used := rt.StackUsed(256<<10, func() { value = caught(func() { got = call(x, which) }) })
					if used > least+overhead+afterwards && !raced {
						t.Errorf("way %d: %s uses %d bytes of stack, its bound is %d", way, name, used, least)
					}
					want, panics := result(which, x)
					p, _ := value.(*rt.Panic)
					switch {
					case value == nil && (panics || got != want), value != nil && p == nil:
						t.Errorf("way %d: %s(%d, %d) = %d, panics with %v", way, name, x, which, got, value)
					case p == nil:
					case way == fits && !panics, !strings.Contains(p.Message, "exhausted in promise_leaked.") && p.Message != "called with "+strconv.Itoa(int(x)):
						t.Errorf("way %d: %s(%d, %d) panics with %v", way, name, x, which, p)
					}
				}
			}
		}
	}
}
