package optimised_test

import (
	"testing"

	"rustgo.dev/packages/internal/optimised"
)

func value() *[4]int { return new([4]int) }

// What the settings say is what the compiler did: a value that an inlined function makes does not escape.
func TestBuild(t *testing.T) {
	allocations := testing.AllocsPerRun(100, func() {
		v := value()
		v[1]++
	})
	if !optimised.Checked() && optimised.Build() != (allocations == 0) {
		t.Errorf("%v, and %v allocations", optimised.Build(), allocations)
	}
}
