package promises

import (
	"testing"

	"scratch/pointers"
)

// A function finds its own address, on every stack.
func TestOwnAddress(t *testing.T) {
	for range 10 {
		fresh(t, func() {
			if pointers.Itself(3) != 1 {
				t.Error("a function does not find itself")
			}
		})
	}
}
