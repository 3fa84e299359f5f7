package promises

import (
	"math/bits"
	"testing"

	"scratch/needs_level"
)

func TestAboveTheLowestLevel(t *testing.T) {
	before := needs_level.Calls()
	for x := range uint64(1000) {
		if got := needs_level.Bits(x << 20); got != uint64(bits.OnesCount64(x)) {
			t.Errorf("%d has %d ones", x, got)
		}
	}
	if got := needs_level.Calls() - before; got != 1000 {
		t.Errorf("%d calls", got)
	}
}
