package buildinfo_test

import (
	"testing"

	"rustgo.dev/packages/internal/buildinfo"
)

func value() *[4]int { return new([4]int) }

// The test compares the settings with the compiler's behaviour: a value made by an inlined function does not escape.
func TestOptimised(t *testing.T) {
	allocations := testing.AllocsPerRun(100, func() {
		v := value()
		v[1]++
	})
	if !buildinfo.Instrumented() && buildinfo.Optimised() != (allocations == 0) {
		t.Errorf("%v, and %v allocations", buildinfo.Optimised(), allocations)
	}
}
