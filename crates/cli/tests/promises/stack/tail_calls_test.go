package promises

import (
	"testing"

	"scratch/tail_calls"
)

// chain returns the result of tail_calls.Run, computed by a loop.
func chain(steps uint64) uint64 {
	sum, adds := uint64(1), false
	for ; steps > 0; steps-- {
		if adds {
			sum += steps
			adds = steps/2%2 == 1
		} else {
			adds = sum%2 == 1
		}
	}
	return sum
}

// wideChain returns the result of tail_calls.RunWide, computed by a loop.
func wideChain(steps uint64) uint64 {
	sum, w, adds := uint64(1), [4]uint64{1, 2, 3, 4}, false
	for {
		if adds {
			sum = sum*31 + (5 ^ 6)
			w = [4]uint64{w[3], w[0], w[1], w[2] ^ 1}
			adds = false
			continue
		}
		if steps == 0 {
			break
		}
		adds = w[0]%2 == 1
		w = [4]uint64{w[1], w[2], w[3], w[0] + (steps ^ 7)}
		steps--
	}
	result := sum
	for _, word := range append(w[:], 5, 6, 7) {
		result = result*7 + word
	}
	return result
}

// Tail calls through pointers use no stack, so a budget of 64 KiB suffices for chains of any length.
func TestTailCallsThroughPointersUseNoStack(t *testing.T) {
	for _, steps := range []uint64{0, 1, 2, 3, 10, 1_000_000} {
		if got, want := tail_calls.Run(steps), chain(steps); got != want {
			t.Errorf("Run(%d) = %d, want %d", steps, got, want)
		}
		if got, want := tail_calls.RunWide(steps), wideChain(steps); got != want {
			t.Errorf("RunWide(%d) = %d, want %d", steps, got, want)
		}
	}
	untouched(t, "tail calls")
}
