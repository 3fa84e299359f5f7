package promises

import (
	"sync"
	"testing"

	"scratch/values"
)

// Calls on all processors at the same time do not affect each other.
func TestValuesAtOnce(t *testing.T) {
	all := []func(uint64) uint64{
		values.Wide, values.WideFloats, values.Floats, values.FloatsAsText, values.Patterns, values.Enums, values.Interpreter, values.Opcodes,
		values.Switches, values.Uninitialised, values.Conventions, values.Memory,
	}
	for _, f := range all {
		want := make([]string, times(200))
		for x := range want {
			want[x] = line(f, uint64(x))
		}
		var group sync.WaitGroup
		for range 8 {
			group.Add(1)
			go func() {
				defer group.Done()
				for x := range want {
					if got := line(f, uint64(x)); got != want[x] {
						t.Errorf("%d: %s, before %s", x, got, want[x])
					}
				}
			}()
		}
		group.Wait()
	}
}
