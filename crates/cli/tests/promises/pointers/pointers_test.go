package promises

import (
	"testing"

	"scratch/pointers"
)

// A Rust function knows its own address: two ways to take the address give the same value, on every stack.
func TestOwnAddress(t *testing.T) {
	for range 10 {
		fresh(t, func() {
			if pointers.Itself(3) != 1 {
				t.Error("a function does not find itself")
			}
		})
	}
}
